// The sound of a piece on a board: a short knock, made here, so that no file has to be loaded.
let context: AudioContext | undefined

export function knock(): void {
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  const now = context.currentTime
  const length = Math.floor(context.sampleRate * 0.05)
  const buffer = context.createBuffer(1, length, context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < length; ++i) samples[i] = (Math.random() * 2 - 1) * Math.exp((-12 * i) / length)
  const source = context.createBufferSource()
  source.buffer = buffer
  const filter = context.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = 1_400
  source.connect(filter).connect(context.destination)
  source.start(now)
}
