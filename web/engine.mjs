// FaceKit's WebAssembly module from JavaScript: models in, tensors out.
//
//   const engine = await Engine.load(bytesOrURL)
//   const model = engine.model(tfliteBytes)
//   model.input(0).set(values)
//   model.run()
//   const scores = model.output(1)
//
// Views of the module's memory are made afresh on every access: growing memory detaches old ones.

export class Engine {
  /** @param {ArrayBuffer|Uint8Array|URL|string} source the module's bytes, or where to fetch them */
  static async load(source) {
    const bytes =
      typeof source === "string" || source instanceof URL
        ? await (await fetch(source)).arrayBuffer()
        : source;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Engine(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
  }

  /** Copies bytes into the module's memory; the caller frees them with `facekit_free`. */
  copy(bytes) {
    const address = this.exports.facekit_alloc(bytes.length);
    if (address === 0) throw new Error(`no memory for ${bytes.length} bytes`);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** What the last call that failed had to say. */
  lastError() {
    const memory = new Uint8Array(this.exports.memory.buffer);
    const start = this.exports.facekit_error();
    return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
  }

  /** @param {Uint8Array} bytes a .tflite file */
  model(bytes) {
    const address = this.copy(bytes);
    const handle = this.exports.facekit_model_load(address, bytes.length);
    this.exports.facekit_free(address);
    if (handle < 0) throw new Error(this.lastError());
    return new Model(this, handle);
  }
}

export class Model {
  constructor(engine, handle) {
    this.engine = engine;
    this.handle = handle;
  }

  get inputCount() {
    return this.engine.exports.facekit_input_count(this.handle);
  }

  get outputCount() {
    return this.engine.exports.facekit_output_count(this.handle);
  }

  /** The values of an input, row-major, to be written in place. */
  input(index) {
    const { memory, facekit_input, facekit_input_bytes } = this.engine.exports;
    const count = facekit_input_bytes(this.handle, index) / 4;
    return new Float32Array(memory.buffer, facekit_input(this.handle, index), count);
  }

  /** The values of an output after `run()`, valid until the next call. */
  output(index) {
    const { memory, facekit_output, facekit_output_bytes } = this.engine.exports;
    const count = facekit_output_bytes(this.handle, index) / 4;
    return new Float32Array(memory.buffer, facekit_output(this.handle, index), count);
  }

  run() {
    if (this.engine.exports.facekit_run(this.handle) !== 0) {
      throw new Error(this.engine.lastError());
    }
  }

  free() {
    this.engine.exports.facekit_model_free(this.handle);
  }
}
