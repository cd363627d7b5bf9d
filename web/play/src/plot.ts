// SPDX-License-Identifier: MIT

/** Milliseconds of the last frames as bars, with a line at a sixtieth of a second. */
export class Plot {
  readonly #values: number[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {}

  add(milliseconds: number): void {
    this.#values.push(milliseconds);
    if (this.#values.length > this.canvas.width) this.#values.shift();
    const pen = this.canvas.getContext("2d")!;
    const { width, height } = this.canvas;
    const style = getComputedStyle(this.canvas);
    const most = Math.max(20, ...this.#values);
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = style.getPropertyValue("--accent");
    this.#values.forEach((value, x) => pen.fillRect(x, height * (1 - value / most), 1, (height * value) / most));
    pen.fillStyle = style.getPropertyValue("--line");
    pen.fillRect(0, height * (1 - 1000 / 60 / most), width, 1);
  }
}
