/** Small sounds, made here: wood, paper, strings in the in scale on D. Nothing is heard before the first tap. */

import { room } from "./room.svelte";

export type Sound =
  | "take" | "lay" | "flip" | "wood" | "cut" | "turn" | "won" | "lost" | "votes" | "capture" | "contested" | "danger" | "refused" | "end";

const PEAK = 0.126;
/** −18 dBFS. */
const D4 = 293.66;
const IN_SCALE = { D: 0, Eb: 1, G: 5, A: 7, Bb: 8 } as const;

let context: AudioContext | null = null;
let flips = 0;

/** Plays a sound, if the visitor wants any and has touched the page. */
export function play(sound: Sound): void {
  if (!room.sound || !navigator.userActivation?.hasBeenActive || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  RECIPES[sound](context, context.currentTime + 0.005);
}

const RECIPES: Record<Sound, (audio: AudioContext, at: number) => void> = {
  take: (audio, at) => noise(audio, at, 2000, 6000, 0.035),
  lay(audio, at) {
    noise(audio, at, 1000, 3000, 0.05);
    sine(audio, at, 90, 0.03, 0.8);
  },
  flip(audio, at) {
    flips = (flips + 1) % 8;
    noise(audio, at, 2500 * 2 ** (flips / 12), 5000, 0.02);
  },
  wood: (audio, at) => clap(audio, at),
  cut(audio, at) {
    clap(audio, at);
    clap(audio, at + 0.12);
  },
  turn: (audio, at) => pluck(audio, at, note("A"), 0.4),
  won: (audio, at) => run(audio, at, [note("G"), note("A"), 2 * D4]),
  lost: (audio, at) => run(audio, at, [note("Bb"), note("A")]),
  votes(audio, at) {
    sine(audio, at, 180, 0.12, 1, 120);
    noise(audio, at, 400, 1800, 0.06);
  },
  capture(audio, at) {
    clap(audio, at);
    sine(audio, at, 4 * D4, 0.12, 0.5);
  },
  contested(audio, at) {
    clap(audio, at);
    clap(audio, at + 0.09);
  },
  danger: (audio, at) => sine(audio, at, D4 / 4, 0.3, 1),
  refused: (audio, at) => sine(audio, at, 200, 0.06, 0.6),
  end: (audio, at) => run(audio, at, [note("Bb"), note("A"), note("G"), note("Eb"), D4, D4 / 2]),
};

function note(name: keyof typeof IN_SCALE): number {
  return D4 * 2 ** (IN_SCALE[name] / 12);
}

function run(audio: AudioContext, at: number, pitches: number[]): void {
  pitches.forEach((pitch, order) => pluck(audio, at + order * 0.09, pitch, 0.35));
}

function envelope(audio: AudioContext, at: number, duration: number, loud: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(PEAK * loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + duration);
  gain.connect(audio.destination);
  return gain;
}

function sine(audio: AudioContext, at: number, pitch: number, duration: number, loud: number, down = pitch): void {
  const voice = audio.createOscillator();
  voice.frequency.setValueAtTime(pitch * unsteady(), at);
  voice.frequency.exponentialRampToValueAtTime(down, at + duration);
  voice.connect(envelope(audio, at, duration, loud));
  voice.start(at);
  voice.stop(at + duration);
}

function clap(audio: AudioContext, at: number): void {
  sine(audio, at, 620, 0.08, 0.8);
  sine(audio, at, 1480, 0.08, 0.4);
}

function noise(audio: AudioContext, at: number, low: number, high: number, duration: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * duration), audio.sampleRate);
  buffer.copyToChannel(Float32Array.from({ length: buffer.length }, () => 2 * Math.random() - 1), 0);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: Math.sqrt(low * high) * unsteady(), Q: Math.sqrt(low * high) / (high - low) });
  source.connect(band).connect(envelope(audio, at, duration, 1));
  source.start(at);
}

/** A plucked string after Karplus and Strong: a burst of noise that goes round and loses its edge. */
function pluck(audio: AudioContext, at: number, pitch: number, duration: number): void {
  const length = Math.ceil(audio.sampleRate * duration);
  const period = Math.round(audio.sampleRate / (pitch * unsteady()));
  const string = new Float32Array(length);
  for (let i = 0; i < length; i++)
    string[i] = i < period ? 2 * Math.random() - 1 : 0.497 * ((string[i - period] ?? 0) + (string[i - period - 1] ?? 0));
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  buffer.copyToChannel(string, 0);
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(envelope(audio, at, duration, 1));
  source.start(at);
}

function unsteady(): number {
  return 0.98 + 0.04 * Math.random();
}
