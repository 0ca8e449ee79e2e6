"""A browser that notices whatever a page does on behalf of a stranger: scripts, dialogs, requests, violations of the
content policy, elements."""

from browser import Browser
from waiting import eventually

ICON = "data:image/svg+xml;base64,"  # of the browser's own, in a field of a date; no text of ours is spelled so
WATCH = """
document.addEventListener('securitypolicyviolation', (event) =>
    policyReport(`${event.violatedDirective} ${event.blockedURI} ${event.sample} at ${location.href}`), true)
window.alert = window.confirm = window.prompt = (text) => ran(`a dialog: ${text}`)
"""
# Everything that a viewer can come to see: texts, titles, labels, what stands in fields.
SEEN = """(() => {
    const texts = [document.title, document.body.textContent]
    for (const node of document.querySelectorAll('[title], [aria-label], [placeholder], input, textarea')) {
        for (const name of ['title', 'aria-label', 'placeholder']) texts.push(node.getAttribute(name) ?? '')
        texts.push(node.value ?? '')
    }
    return texts.join('\\n').replace(/\\s+/g, ' ')
})()"""
# What no page of ours holds.
STRANGE = """(() => {
    const strange = []
    const never = 'iframe, frame, object, embed, base, form[action], video, audio, source, math,'
        + 'foreignObject, animate, animateTransform, set, script:not([src^="/assets/"]), a[xlink\\\\:href]'
    const ours = [...document.querySelectorAll('style')].filter((one) => one.dataset.ours)
    for (const node of document.querySelectorAll(never)) if (!ours.includes(node)) strange.push(node.outerHTML)
    for (const node of document.querySelectorAll('*')) {
        for (const { name, value } of node.attributes) {
            if (name.startsWith('on')) strange.push(`${node.tagName} ${name}=${value}`)
            if (name === 'style' && /url|expression|import|[<>"']/i.test(value)) strange.push(`style=${value}`)
            if (!['href', 'src', 'srcdoc', 'action', 'formaction', 'data', 'poster'].includes(name)) continue
            const inside = name === 'href' && /^(\\/(?!\\/)|#piece-)/.test(value)
            const file = node.tagName === 'A' && value.startsWith(`blob:${location.origin}/`)
            const mine = node.closest('head') && /^(data:,|\\/assets\\/)/.test(value)
            const script = node.tagName === 'SCRIPT' && value.startsWith('/assets/')
            const canonical = node.rel === 'canonical' && value.startsWith(`${location.origin}/`)
            if (!inside && !mine && !file && !script && !canonical) strange.push(`${node.tagName} ${name}=${value}`)
        }
    }
    return strange.map((one) => one.slice(0, 200))
})()"""


class WatchingBrowser(Browser):
    def __init__(self, folder, site):
        self.faults = []
        super().__init__(folder, "--disable-ipc-flooding-protection", site=site)  # it goes to pages faster than people
        self.call("Network.enable")
        for name in ("ran", "policyReport"):
            self.call("Runtime.addBinding", {"name": name})
        self.call("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def read(self):
        message = super().read()
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.bindingCalled":
            self.faults.append(f"{told['name']}: {told['payload']}")
        if method == "Page.javascriptDialogOpening":
            self.faults.append(f"a dialog: {told['message']}")
        if method == "Network.requestWillBeSent":
            url = told["request"]["url"]
            if not url.startswith((f"http://{self.site}/", "data:,", f"blob:http://{self.site}/", "about:", ICON)):
                self.faults.append(f"a request: {url}")
        if method in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.events.append(message)
            self.faults += self.complaints()
            self.events.clear()
        return message

    def shows(self, *texts):
        """Waits until all of them are on the page, as text; whatever else is there has to be ours."""
        wanted = [text for text in texts if text]

        def lacking():
            seen = self.evaluate(SEEN) or ""
            return [text for text in wanted if text not in seen]

        eventually(lambda: not lacking(), lambda: f"{self.evaluate('location.href')} shows {lacking()[:3]}; it says:\n"
                   f"{self.evaluate('document.body.innerText')}")
        self.check()

    def check(self):
        where = self.evaluate("location.href")
        self.faults += [f"{where}: {one}" for one in self.evaluate(STRANGE)]
        if self.faults:
            raise AssertionError("\n".join([where, *dict.fromkeys(self.faults)]))
