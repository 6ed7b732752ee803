// Runs models in the WebAssembly build and compares them with the committed goldens of LiteRT.
//
//   node tools/wasm-check.mjs .build/wasm/facekit.wasm [MODEL…]
//
// Also shows that wrong bytes give an error, not a trap. Without models it says so and passes.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../web/engine.mjs";

const root = join(import.meta.dirname, "..");
const models = process.env.FACEKIT_MODELS || join(root, ".cache/models");
const [wasm, ...wanted] = process.argv.slice(2);
const names = wanted.length ? wanted : ["face_detector"];

// The generator of the goldens: see Tests/TestSupport/Generators.swift.
function generated(seed, count, lo, hi) {
  const values = new Float32Array(count);
  let state = BigInt(`0x${seed}`);
  for (let index = 0; index < count; index++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    values[index] = lo + (hi - lo) * (Number(state >> 40n) / 16777216);
  }
  return values;
}


function fail(message) {
  console.error(`wasm-check: error: ${message}`);
  process.exit(1);
}

const engine = await Engine.load(readFileSync(wasm));

// A flatbuffer's identifier and then nonsense.
const nonsense = new TextEncoder().encode("\x1c\0\0\0TFL3 and nothing that follows makes sense");
for (const bytes of [nonsense, new Uint8Array(0), new Uint8Array(5)]) {
  try {
    engine.model(bytes);
    fail(`${bytes.length} bytes that are no model were accepted`);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail(`${bytes.length} bytes trap: ${error}`);
    if (!error.message.includes("—")) fail(`an error without a place or advice: ${error.message}`);
  }
}

for (const name of names) {
  const path = join(models, `${name}.tflite`);
  if (!existsSync(path)) {
    console.log(`wasm-check: skipped: no ${path}; run tools/setup or set FACEKIT_MODELS`);
    continue;
  }
  const folder = join(root, "Tests/Goldens/litert", name);
  const golden = JSON.parse(readFileSync(join(folder, "model.json")));
  const { input, outputs, id } = golden.cases[0];
  const model = engine.model(readFileSync(path));
  if (model.outputCount !== outputs.length) fail(`${name} has ${model.outputCount} outputs`);
  const values = generated(input.seed, model.input(0).length, input.lo, input.hi);
  input.first8.forEach((value, index) => {
    if (Math.fround(value) !== values[index]) fail(`generator: [${index}] is ${values[index]}`);
  });
  let times = [];
  for (let run = 0; run < 12; run++) {
    // The input's memory may serve other tensors while the model runs, so it is written every time.
    model.input(0).set(values);
    const start = performance.now();
    model.run();
    times.push(performance.now() - start);
  }
  const pages = engine.exports.memory.buffer.byteLength;
  for (const [index, output] of outputs.entries()) {
    const actual = model.output(index);
    const bound = 1e-6 + 1e-4 * Math.max(Math.abs(output.min), Math.abs(output.max));
    let expected, at;
    if (output.file) {
      const bytes = readFileSync(join(folder, output.file));
      expected = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      at = (k) => k;
    } else {
      expected = output.sample.values;
      at = (k) => k * output.sample.stride;
    }
    const count = output.shape.reduce((product, extent) => product * extent, 1);
    if (actual.length !== count) fail(`${name} ${output.name}: ${actual.length} values, not ${count}`);
    let worst = 0;
    expected.forEach((value, k) => {
      const difference = Math.abs(actual[at(k)] - value);
      // Also catches NaN.
      if (!(difference <= bound)) {
        fail(`${name} ${id} ${output.name}[${at(k)}] is ${actual[at(k)]}, not ${value}; ${bound} is allowed`);
      }
      worst = Math.max(worst, difference);
    });
    console.log(
      `wasm-check: ${name} ${output.name}: off by ${worst.toExponential(2)} at most, ` +
        `${bound.toExponential(2)} allowed`);
  }
  times = times.slice(2).sort((a, b) => a - b);
  console.log(
    `wasm-check: ${name}: ${times[0].toFixed(2)} ms, ${(pages / 1048576).toFixed(0)} MiB of memory`);
  model.free();
}
