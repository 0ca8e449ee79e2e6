// Whether people may play in the browser, which the host decides: asked once.
class BrowserPlay {
  allowed = $state(false)

  ask(): void {
    void fetch('/api/v1/rooms')
      .then((answer) => answer.json())
      .then((rooms) => (this.allowed = !!rooms.csa_websocket))
      .catch(() => {})
  }
}

export const browserPlay = new BrowserPlay()
