// The page's own clicks and drone: scheduled ahead on the browser's audio clock, and taken back when the music changes.

import { AudioClock, outputTime } from "./audioclock.js";
import { clickNames, clickSamples } from "./clicksounds.js";
import { ClickPlan } from "./clickplan.js";
import { offsets } from "./device.js";
import { Drone } from "./drone.js";
import { ownCounts } from "./entries.js";

/** How often the clocks are read and clicks put, in ms. */
const pace = 100;
/** How often a device that was taken away is asked for again, in ms. */
const again = 500;
/** How far ahead, in s: browsers wake a hidden page only once a second. */
const ahead = 2.5;
/** How late a click may begin, and the first after a jump or a pause, in s. */
const [lateness, firstLateness] = [0.03, 0.12];
/** Clicks less than this after the place of a hold, in s of the score, are those at it. */
const afterHold = 1e-6;
/** A click is put anew when it is off by more than this, in s. */
const tolerance = 0.001;

export class Sound {
  /** `player` is the player's clock, in s for the page's time in ms. */
  constructor(player) {
    Object.assign(this, { player, context: null, timer: 0, music: null, sounds: null, floor: -Infinity, since: -Infinity, woken: 0 });
    // Sounds besides those of clicks, with their samples and rates.
    this.clips = [];
    this.choice = { part: "player", voice: 0, drone: true, volume: 1, counts: 0 };
    this.isTest = false;
    this.put = new Map();
    // The clicks that could not sound in time: how many, the last of them with their times, and until when all are told.
    [this.lost, this.late, this.reached] = [0, new Map(), null];
  }

  get isOn() {
    return this.context !== null;
  }

  /** Begins; only after a gesture of the user do browsers let a page sound. */
  async begin() {
    if (this.context) return;
    // A tenth of a second in the device's buffer: sounds scheduled ahead need no short one, which runs dry on a busy device.
    this.context = new AudioContext({ latencyHint: 0.1 });
    const { context } = this;
    this.master = new GainNode(context, { gain: this.choice.volume });
    this.master.connect(context.destination);
    this.buffers = new Map(
      clickNames.map((name) => {
        const samples = clickSamples(name, context.sampleRate);
        const buffer = new AudioBuffer({ length: samples.length, sampleRate: context.sampleRate });
        buffer.copyToChannel(samples, 0);
        return [name, buffer];
      }),
    );
    for (const { name, samples, rate } of this.clips) {
      const buffer = new AudioBuffer({ length: Math.max(samples.length, 1), sampleRate: rate });
      buffer.copyToChannel(samples, 0);
      this.buffers.set(name, buffer);
    }
    this.drone = new Drone(context, this.master);
    this.audio = new AudioClock();
    this.joined = null;
    // After a call or a sleep the device's clock begins anew, and what the browser told of it before is wrong.
    context.onstatechange = () => {
      this.takeBack(() => true);
      [this.audio, this.since] = [new AudioClock(), performance.now()];
      this.step();
    };
    this.timer = setInterval(() => this.step(), pace);
    await context.resume();
    this.step();
  }

  async end() {
    const { context } = this;
    if (!context) return;
    clearInterval(this.timer);
    context.onstatechange = null;
    this.context = null;
    this.put.clear();
    if (context.state !== "closed") await context.close();
  }

  /** Has the device again after a call or a sleep has taken it; if the browser has closed it, opens it anew. */
  wake() {
    if (!this.context || this.context.state === "running") return;
    const isClosed = this.context.state === "closed";
    (isClosed ? this.end().then(() => this.begin()) : this.context.resume()).catch(() => undefined);
  }

  /** What the page has chosen: `part`, `voice`, `drone`, `volume`, and how many clicks count this device in: `counts`. */
  choose(choice) {
    Object.assign(this.choice, choice);
    if (this.context) this.master.gain.setTargetAtTime(this.choice.volume, this.context.currentTime, 0.02);
    this.step();
  }

  /** The newest state of the music, with the sounds of its bars. */
  follow(music, sounds) {
    const before = this.music;
    [this.music, this.sounds] = [music, sounds];
    const isStillPaused = music.state.paused !== null && music.state.paused === before?.state.paused;
    if (!isStillPaused) this.begins = ClickPlan.begin(music, before);
    this.floor = -Infinity;
    const now = this.player.at(performance.now());
    this.changed = now;
    // Music that stands at the hold at which it stood has been heard up to there.
    const { held, heldBar } = music.state;
    const stands = held !== null && held === before?.state.held && heldBar === before.state.heldBar;
    if (stands && before.moment(now).waits) this.floor = held + afterHold;
    // Music that was paused goes on there, and clicks before that place were heard before the pause.
    const paused = before?.state.paused ?? null;
    if (paused !== null && music.state.paused === null && Math.abs(music.time(paused) - now) < 0.3) {
      this.floor = paused;
      this.begins = music.time(paused);
    }
    this.step();
  }

  /** The second of the context at which a sound must begin to be heard at the player's time `at`. */
  when(at) {
    return this.audio.at(this.player.when(at)) - offsets.sound;
  }

  /** The player's time at which a sound is heard that begins at the context's second `sound`. */
  heard(sound) {
    return this.player.at(this.audio.model.filter.timeOf((sound + offsets.sound) * 1e6) / 1e6);
  }

  step() {
    const { context } = this;
    if (!context) return;
    if (context.state !== "running") {
      if (performance.now() - this.woken < again) return;
      this.woken = performance.now();
      return this.wake();
    }
    const output = outputTime(context);
    if (output && output.time >= this.since) this.audio.observe(output.time, output.sound);
    if (!this.player.isKnown || !this.audio.isKnown) return;
    const present = this.heard(context.currentTime);
    const until = present + ahead;
    const isMusic = this.music && this.sounds && !this.isTest;
    const plan = isMusic ? new ClickPlan(this.music, this.sounds, this.choice, this.floor) : null;
    this.count(plan, present - firstLateness, until);
    const wanted = plan ? plan.between(present - firstLateness, until) : this.isTest ? testClicks(present, until) : [];
    if (plan) wanted.push(...ownCounts(this.music, this.sounds, this.choice, (this.joined ??= present), present - firstLateness, until));
    // A page that plays by itself has the signals of the program, too.
    if (plan && this.sounds.signals) wanted.push(...this.sounds.signals(present - firstLateness, until, this.choice));
    this.reconcile(wanted, context.currentTime);
    const [now, next] = isMusic && this.choice.drone ? this.drones(present, until) : [null, null];
    this.drone.follow(now, next && { drone: next.drone, when: this.when(next.at) });
  }

  /** Counts the clicks for which the page has woken too late, and those that the time ahead makes late no more. */
  count(plan, from, until) {
    if (plan && this.reached !== null && this.reached < from) this.lost += plan.between(Math.max(this.reached, from - 60), from).length;
    this.reached = plan ? Math.max(this.reached ?? -Infinity, until) : null;
    for (const [key, at] of this.late) if (at < from - 2) this.late.delete(key);
  }

  /** Makes the clicks that are put the wanted ones. */
  reconcile(wanted, current) {
    const keys = new Set(wanted.map((click) => click.key));
    // Clicks that were due before the newest state began to be true are still right.
    this.takeBack(({ key, when, at }) => !keys.has(key) && when > current && !(at < this.begins - 1e-6));
    for (const [key, { when }] of this.put) if (when < current - 2) this.put.delete(key);
    for (const click of wanted) {
      const when = this.when(click.at);
      const old = this.put.get(click.key);
      const isSame = old && old.sound === click.sound && old.amplitude === click.amplitude;
      if (old && ((isSame && Math.abs(old.when - when) < tolerance) || old.when <= current)) {
        // After a jump back the same click is due again, a while later.
        if (Math.abs(old.at - click.at) < 0.1) continue;
      }
      const isFirst = this.changed !== undefined && click.at - this.begins < 0.15 && this.begins > this.changed - 1;
      if (when < current - (isFirst ? firstLateness : lateness)) {
        if (!old && !this.late.has(click.key)) {
          this.lost += 1;
          this.late.set(click.key, click.at);
        }
        continue;
      }
      if (old && old.when > current) old.source.stop();
      this.start(click, Math.max(when, current));
    }
  }

  start({ key, at, sound, amplitude }, when) {
    const source = new AudioBufferSourceNode(this.context, { buffer: this.buffers.get(sound) });
    source.connect(new GainNode(this.context, { gain: amplitude })).connect(this.master);
    source.start(when);
    this.put.set(key, { key, at, when, sound, amplitude, source });
  }

  takeBack(isWrong) {
    for (const [key, click] of this.put) {
      if (!isWrong(click)) continue;
      click.source.stop();
      this.put.delete(key);
    }
  }

  /** The drone at a time of the player, and the next change until another time. */
  drones(time, until) {
    const { music, sounds } = this;
    const moment = music.moment(time);
    const { state, timeline } = music;
    const silent = [null, null];
    if (["end", "paused", "waiting"].includes(moment.kind)) return silent;
    const isCounting = moment.kind === "countIn";
    let n = isCounting ? music.boundary(Math.max(state.position, 0)) : moment.bar.n;
    const now = sounds.drone(n) ?? null;
    if (moment.waits) return [now, null];
    const end = timeline.total === null ? Infinity : music.time(timeline.total);
    const fade = end - (now?.fade ?? 0);
    if (time >= fade) return silent;
    for (n += 1; ; n += 1) {
      const bar = music.bar(n);
      const drone = sounds.drone(n);
      const at = bar ? music.time(bar.start) : Infinity;
      if (at >= Math.min(fade, until) || drone === undefined) break;
      if (JSON.stringify(drone) !== JSON.stringify(now)) return [now, { at, drone }];
    }
    return [now, now && fade < until ? { at: fade, drone: null } : null];
  }
}

/** A click at every whole second of the player's clock: on all devices at the same time. */
function testClicks(from, to) {
  const clicks = [];
  for (let at = Math.ceil(from); at <= to; at += 1) clicks.push({ key: `test ${at}`, at, sound: at % 4 === 0 ? "line" : "bar", amplitude: 0.5 });
  return clicks;
}
