// SPDX-License-Identifier: MIT

/** A short click for each new contact. Browsers allow sound only after the user has touched the page. */
export class Sound {
  on = false;
  #context: AudioContext | null = null;

  click(pitch: number): void {
    if (!this.on) return;
    this.#context ??= new AudioContext();
    const start = this.#context.currentTime;
    const tone = this.#context.createOscillator();
    const loudness = this.#context.createGain();
    tone.frequency.value = 220 * 2 ** (pitch / 12);
    loudness.gain.setValueAtTime(0.15, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.12);
    tone.connect(loudness).connect(this.#context.destination);
    tone.start(start);
    tone.stop(start + 0.13);
  }
}
