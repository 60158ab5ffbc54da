"""The cases: what is played on which card, what is done meanwhile, and what has to come of it."""
import dataclasses
import json
import math
import os
import re
import statistics
import subprocess

import checks
import sound


@dataclasses.dataclass
class Card:
    """A way to a card: its ALSA name, and who records it."""

    name: str
    device: str
    recorder: str = ""

    @property
    def swallows(self):
        return self.recorder == "hda"


HDA = Card("HDA, hw", "hw:HDA", "hda")
PLUG = Card("HDA, plughw", "plughw:HDA", "hda")
DMIX = Card("HDA, default (dmix)", "default", "hda")
ALOOP = Card("aloop", "hw:Loopback", "aloop")
DUMMY = Card("dummy", "hw:Dummy")
USB = Card("USB", "hw:USB", "usb")


# The bar during which the USB card is unplugged.
UNPLUGGED_AFTER = 4
# How many bars after it is back there has to be sound, which are 4.5 s: it is tried again once a second, its clock is
# learnt, and the log by which it is counted may be 2 s behind.
BARS_TO_COME_BACK = 10
# What the program may take to begin and to end, besides the piece.
SECONDS_TO_BEGIN_AND_END = 20
# The two ends of the loopback card have one clock and no way between them: their delay is 0. Its pointers move every 4 ms, and
# after six seconds of that the delay is known to half a step.
MOST_LOOPBACK_MS = 2
# How long a click may be.
CLICK_FRAMES = sound.RATE // 10


class Score:
    """A score, and how it sounds: as the program renders it into a file."""

    def __init__(self, folder, name, program, lines, count_in=0):
        self.count_in = count_in
        self.durations = [duration for line in lines for duration in line]
        self.first_bars = [1 + sum(map(len, lines[:n])) for n in range(len(lines))]
        self.text = "lines:\n" + "".join(f"  - bars: {line}\n" for line in lines)
        path, self.rendered = os.path.join(folder, name + ".yaml"), os.path.join(folder, name + ".wav")
        with open(path, "w") as file:
            file.write(self.text)
        subprocess.run(
            [program, "render", path, "-o", self.rendered, "--drone", "off", "--count-in", str(count_in)],
            check=True, capture_output=True)
        names = [f"count {n + 1}" for n in range(count_in)] + [f"bar {n + 1}" for n in range(len(self.durations))]
        times = [float(n) for n in range(count_in)]
        times += [count_in + sum(self.durations[:n]) for n in range(len(self.durations))]
        clicks = sound.clicks(sound.samples(sound.read_wav(self.rendered)))
        if len(clicks) != len(names):
            raise SystemExit(f"{program} render: {len(clicks)} clicks instead of {len(names)}")
        self.dues = [checks.Due(*due) for due in zip(names, times, clicks)]

    def due(self, number, row):
        """The click of a row of the log, the `number`th of a piece that commands have changed."""
        return checks.Due(f"row {number}, bar {row.index},", row.nominal, self.dues[self.count_in + row.index - 1].click)


class Case:
    """Something that is done several times: lines for the machine's shell, and what is asserted of log and sound."""

    def __init__(self, name, card, score, script, check, has_log=True, status=0):
        self.name, self.card, self.score, self.has_log = name, card, score, has_log
        # Given the number of the run, the lines between `begin` and `finish`.
        self.script = script
        # Given the case, the log's rows, the clicks that were heard (None where nobody records) and the outcome.
        self.check = check
        # The exit status of a run that went well.
        self.status = status
        # What the USB card had played when it was unplugged, and the folder of the run.
        self.before = self.folder = None
        # What is told of all runs together, beside the row of the table.
        self.told = lambda: []

    def run(self, machine, number):
        """Runs it on an emulator. Returns the outcome; `folder` is of what came of it."""
        outcome = checks.Outcome()
        name = re.sub(r"\W+", "-", f"{self.name} {number}")
        self.before, self.folder = None, os.path.join(machine.results, name)
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "score.yaml"), "w") as file:
            file.write(self.score.text)
        if not self.has_log:
            self.write_sound()
        if self.card.recorder in ("hda", "usb"):
            machine.mark(self.card.recorder)
        lines = [f"begin {name}", *(["record"] if self.card.recorder == "aloop" else []), *self.script(number)]
        actions = {"unplug": lambda: self.unplug(machine), "plug": machine.plug}
        status, said = machine.ask(" && ".join(lines) + "; finish", actions)
        if status != 0 or said.strip():
            outcome.fail(f"the machine's shell ended with status {status}: {said.strip()}")
        checks.take_exit(self.text("status"), self.text("err"), outcome, self.status)
        sounds = self.sounds(machine)
        heard = None if sounds is None else sound.clicks(sound.samples(sounds))
        rows = []
        if self.has_log:
            rows = checks.read_log(self.text("log.csv"))
            checks.take_summary(self.text("out"), rows, outcome)
        self.check(self, rows, heard, outcome)
        if outcome.problems and sounds:
            sound.write_wav(os.path.join(self.folder, "heard.wav"), sounds)
        if not machine.is_plugged:
            machine.ask("host plug && usb_card", actions)
        return outcome

    def write_sound(self):
        """Writes how the score should sound, with silence around it: dmix may swallow the first millisecond of a stream, and
        after its end aloop finds old frames."""
        silence = bytes(sound.FRAME_BYTES * sound.RATE)
        sound.write_wav(os.path.join(self.folder, "score.wav"), silence + sound.read_wav(self.score.rendered) + silence)

    def text(self, name):
        """A file of the run; empty where there is none."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        with open(path, errors="replace") as file:
            return file.read()

    def sounds(self, machine):
        if not self.card.recorder:
            return None
        if self.card.recorder != "aloop":
            return machine.recorded(self.card.recorder)
        with open(os.path.join(self.folder, "recording.raw"), "rb") as file:
            return file.read()

    def unplug(self, machine):
        self.before = sound.samples(machine.unplug())


def compare(case, rows, dues, told, heard, outcome):
    """Compares what should be heard with what was, or only counts where nobody has heard anything. `told` are names of what
    the log calls lost."""
    if heard is None:
        outcome.expected += len(rows)
        outcome.heard += len(rows) - outcome.lost
    else:
        checks.listen(dues, heard, outcome, told, case.card.swallows)


# --- Starts

def aplay(card, score):
    """The rendered file, played by ALSA's own player: what this loses, the machine loses."""
    def check(case, rows, heard, outcome):
        checks.listen(score.dues, heard, outcome, swallows=card.swallows)
    script = [f"aplay {card.device}"]
    return Case(f"aplay: {card.name}", card, score, lambda number: script, check, has_log=False)


def start(card, score):
    """From the start to the end, in a pipe: every count and every boundary."""
    def check(case, rows, heard, outcome):
        checks.check_played_through(rows, score.durations, outcome)
        checks.take_rows(rows, outcome)
        told = {f"bar {row.index}" for row in rows if row.is_lost}
        compare(case, rows, score.dues, told, heard, outcome)
    counted = ", counted in" if score.count_in else ""
    script = [f"play {card.device} --count-in {score.count_in}"]
    return Case(f"start: {card.name}{counted}", card, score, lambda number: script, check)


# --- Advice

def doctor(card, score):
    """`barline doctor` finds that the card opens, and plays its test sound on it."""
    def check(case, rows, heard, outcome):
        found = {finding["subject"]: finding for finding in json.loads(case.text("out") or "[]")}
        for subject in (f"device '{card.device}'", "test sound"):
            if found.get(subject, {}).get("state") != "good":
                outcome.fail(f"{subject}: {found.get(subject)}")
        for subject, finding in found.items():
            if finding["state"] == "problem":
                outcome.fail(f"{subject}: {finding['seen']}")
        if heard == []:
            outcome.fail("the test sound was not heard")
    return Case(f"doctor: {card.name}", card, score, lambda number: [f"doctor {card.device}"], check, has_log=False)


def latency(score):
    """`barline doctor --latency` measures the way through the loopback card, each time anew."""
    delays = []

    def check(case, rows, heard, outcome):
        found = json.loads(case.text("out") or "{}")
        if "delay_ms" not in found:
            return outcome.fail("no delay was told")
        delays.append(found["delay_ms"])
        if abs(delays[-1]) > MOST_LOOPBACK_MS:
            outcome.fail(f"a delay of {delays[-1]} ms")

    def told():
        if not delays:
            return []
        return [f"    delays from {min(delays):.3f} to {max(delays):.3f} ms, median {statistics.median(delays):.3f} ms"]
    case = Case("doctor --latency: aloop", Card("aloop", ALOOP.device), score,
                lambda number: [f"latency {ALOOP.device},0 {ALOOP.device},1"], check, has_log=False)
    case.told = told
    return case


def doctor_of_no_card(score):
    """`barline doctor` tells that there is no such card, and what to do."""
    def check(case, rows, heard, outcome):
        problems = [finding for finding in json.loads(case.text("out") or "[]") if finding["state"] == "problem"]
        if [finding["subject"] for finding in problems] != ["device 'hw:Nothing'"] or not problems[0]["advice"]:
            outcome.fail(f"the problems found: {problems}")
    card = Card("no card", "hw:Nothing")
    return Case("doctor: no card", card, score, lambda number: ["doctor hw:Nothing"], check, has_log=False, status=69)


# --- Commands

def commanded(name, card, score, script, **made):
    """A piece that commands change while it plays; `made` says what they make of it."""
    def check(case, rows, heard, outcome):
        checks.check_commands(rows, score.durations, outcome, **made)
        checks.take_rows(rows, outcome)
        dues = [score.due(number, row) for number, row in enumerate(rows, 1)]
        told = {due.name for due, row in zip(dues, rows) if row.is_lost}
        compare(case, rows, dues, told, heard, outcome)
    return Case(f"{name}: {card.name}", card, score, script, check)


def keys(card, presses, again=None):
    """Plays at a terminal and types: before each key so many rows come, and then some time that differs from run to run.
    After `again` seconds each key is typed once more."""
    def script(number):
        lines = [f"stand {card.device}"]
        for n, (rows, key) in enumerate(presses):
            lines += [f"rows {rows}", f"usleep {(number * 5 + n * 3) % 8 * 50000}", f"press '{key}'"]
            lines += [f"sleep {again}", f"press '{key}'"] if again else []
        return lines
    return script


def pause_by_key(card, score):
    presses = [(3, " "), (8, " "), (27, " ")]
    return commanded("pause (key)", card, score, keys(card, presses, again=2.5), pauses=3, pause_s=2.3)


def pause_from_elsewhere(card, score):
    script = [f"play {card.device}", "rows 3", "barline pause > said", "sleep 2.5", "barline continue >> said"]
    return commanded("pause (command)", card, score, lambda number: script, pauses=1, pause_s=2.3)


def next_line(card, score):
    def target(bar):
        return [first for first in score.first_bars if first > bar][:1]
    presses = [(3, "\\033[B"), (6, "\\033[B"), (9, "\\033[B")]
    return commanded("next line", card, score, keys(card, presses), targets=[target] * 3)


def previous_bar(card, score):
    # To the start of the bar, or the one before where it has only just begun.
    presses = [(3, "\\033[D"), (7, "\\033[D"), (11, "\\033[D")]
    return commanded("previous bar", card, score, keys(card, presses), targets=[lambda bar: [bar - 1, bar]] * 3)


def end_of_no_loop(card, score):
    return commanded("end of no loop", card, score, keys(card, [(3, "o"), (6, "o"), (9, "o")]))


def speed(card, score):
    presses = [(3, "+"), (6, "+"), (9, "-"), (12, "-")]
    return commanded("speed", card, score, keys(card, presses), speeds=[1, 1.05, 1.1, 1.05, 1])


# --- MIDI

class MIDIPiece:
    """A score with all that goes out by MIDI."""

    count_in = 1
    text = (
        "timecode: 01:00:00:00 @ 25\ntempo: 200\nbars: [4/4, {meter: 3/4, send: midi ch 10 note 37 on}, "
        "{meter: 4/4, ramp: {to: 1/4 = 300, over: 2 bars}, send: [midi ch 10 note 37 off, midi ch 2 program 5]}, 4/4, 4/4]\n")
    # The quarter notes of each bar, and where and how the tempo changes.
    quarters, ramp_from, ramp_length, tempi = [4, 3, 4, 4, 4], 7, 8, (10 / 3, 5)

    def __init__(self):
        begins = [sum(self.quarters[:n]) for n in range(len(self.quarters) + 1)]
        self.durations = [self.seconds(end) - self.seconds(begin) for begin, end in zip(begins, begins[1:])]

    def seconds(self, quarters):
        """When so many quarter notes are over: a ramp takes x / v0 * ln(1 + ru) / (ru)."""
        (v0, v1), x = self.tempi, min(max(quarters - self.ramp_from, 0), self.ramp_length)
        ratio = (v1 / v0 - 1) * x / self.ramp_length
        return min(quarters, self.ramp_from) / v0 + (x / v0 * math.log1p(ratio) / ratio if x else 0) \
            + max(quarters - self.ramp_from - self.ramp_length, 0) / v1


def midi(stalls=()):
    """MIDI timecode, clock and messages, as they are queued: in time with the log, and none is lost while the program stands
    still for some milliseconds."""
    piece, lateness = MIDIPiece(), []

    def script(number):
        return ["midi midi", f"play {DUMMY.device} --count-in 1 --midi Recorder --mtc --midi-clock", "rows 1",
                *[line for ms in stalls for line in (f"stall {ms}", "usleep 300000")]]

    def check(case, rows, heard, outcome):
        checks.check_played_through(rows, piece.durations, outcome)
        checks.take_rows(rows, outcome)
        outcome.expected += len(rows)
        outcome.heard += len(rows) - outcome.lost
        lateness.extend(checks.check_midi(case.text("midi"), rows, piece, outcome))

    def told():
        if not lateness:
            return []
        return [f"    MIDI arrives up to {max(lateness) * 1e3:.2f} ms late, median {statistics.median(lateness) * 1e3:.2f} ms"]
    case = Case("MIDI" + (", stalled" if stalls else ""), DUMMY, piece, script, check)
    case.told = told
    return case


def midi_paused():
    """In a pause by key nothing is left in the queue, and then the machines go on from where the music is."""
    piece = MIDIPiece()

    def script(number):
        return ["midi midi", f"stand {DUMMY.device} --count-in 1 --midi Recorder --mtc --midi-clock", "rows 2",
                f"usleep {number * 5 % 8 * 50000}", "press ' '", "sleep 1.5", "press ' '"]

    def check(case, rows, heard, outcome):
        outcome.expected, outcome.heard = len(rows), len(rows)
        runs = checks.check_clock(checks.midi_events(case.text("midi")), piece, outcome)
        if len(runs) != 2 or runs[0][0] != 0 or runs[1][-1] != 24 * sum(piece.quarters):
            outcome.fail(f"the machines follow from tick to tick: {runs}")
        # At the next sixteenth, or at the one after that if the next is due at once.
        elif not 0 <= runs[1][0] - runs[0][1] < 12:
            outcome.fail(f"they stop before tick {runs[0][1]} and go on at {runs[1][0]}")
    return Case("MIDI, paused", DUMMY, piece, script, check)


def midi_away():
    """A port that goes is told of once; when it is back, it is told where the music is; and the end stops the machines."""
    piece = MIDIPiece()

    def script(number):
        return ["midi first 2", f"stand {DUMMY.device} --count-in 1 --midi Recorder --mtc --midi-clock", "wait $midi",
                "sleep 1.5", "midi midi", "rows 4", "press q"]

    def check(case, rows, heard, outcome):
        outcome.expected, outcome.heard = len(rows), len(rows)
        told = case.text("err").count("there is no MIDI port 'Recorder'")
        if told != 1:
            outcome.fail(f"it is told {told} times that the port is not there")
        events = checks.midi_events(case.text("midi"))
        runs = checks.check_clock(events, piece, outcome)
        if len(runs) != 1 or runs[0][0] == 0 or not any(kind == checks.SYSEX for _, kind, _ in events):
            outcome.fail(f"the machines follow from tick to tick: {runs}")
    return Case("MIDI, away for a while", DUMMY, piece, script, check)


def by_midi(bindings, messages, pause=None):
    """Plays in a pipe, and sends messages of MIDI: each after so many rows, and with `pause` a second one so many seconds later."""
    def script(number):
        lines = [f"export BARLINE_MIDI_KEYS='{bindings}'", f"play {HDA.device} --midi-in VirMIDI"]
        for n, (rows, *sent) in enumerate(messages):
            lines += [f"rows {rows}", f"usleep {(number * 5 + n * 3) % 8 * 50000}", f"send '{sent[0]}'"]
            lines += [f"sleep {pause}", f"send '{sent[1]}'"] if pause else []
        return lines + ["unset BARLINE_MIDI_KEYS"]
    return script


def pause_by_midi(score):
    # Stop and continue of a sequencer; in a pause, another stop has no effect.
    script = by_midi("standard", [(3, "\\xfc\\xfc", "\\xfb"), (8, "\\xfc", "\\xfb\\xfb")], pause=2.5)
    return commanded("pause (MIDI)", HDA, score, script, pauses=2, pause_s=2.3)


def next_line_by_midi(score):
    def target(bar):
        return [first for first in score.first_bars if first > bar][:1]
    # A control that rises and falls, and other messages, of which one is cut short.
    message = "\\xb2\\x14\\x20\\xb2\\x14\\x7f\\xb2\\x14\\x00\\xb0\\x14\\x7f\\x90\\x14\\x7f\\xf8\\xf0\\x01\\xf7\\xb2\\x14"
    script = by_midi("next-line ch 3 control 20", [(rows, message) for rows in (3, 6, 9)])
    return commanded("next line (MIDI)", HDA, score, script, targets=[target] * 3)


def midi_comes_back(score):
    """The MIDI card goes away and comes back: both are said once, no click is lost, and its buttons work again."""
    def target(bar):
        return [first for first in score.first_bars if first > bar][:1]
    script = ["export BARLINE_MIDI_KEYS='next-line note 60'", f"play {HDA.device} --midi-in VirMIDI", "rows 3",
              "midi_card unbind", "noted 'is gone'", "midi_card bind", "noted 'is there'", "rows 6", "send '\\x90\\x3c\\x64'",
              "unset BARLINE_MIDI_KEYS"]
    case = commanded("MIDI unplugged", HDA, score, lambda number: script, targets=[target])
    check = case.check

    def check_notes(case, rows, heard, outcome):
        check(case, rows, heard, outcome)
        for note in ("is gone", "is there"):
            if case.text("err").count(note) != 1:
                outcome.fail(f"'{note}' is not said once: {case.text('err')}")
    case.check = check_notes
    return case


def learn(score):
    """`barline keys --learn` writes what a button does."""
    script = ["learn", "told 'Press a key'", "press ' '", "told 'press the button'", "send '\\xf8\\x93\\x3c\\x64'",
              "told 'pause ch 4 note 60'", "press '\\033'", "barline config midi-keys > learnt"]

    def check(case, rows, heard, outcome):
        if "midi-keys: pause ch 4 note 60" not in case.text("learnt"):
            outcome.fail(f"learnt: {case.text('learnt')}")
    return Case("keys --learn", DUMMY, score, lambda number: script, check, has_log=False)


def arrivals(score):
    """`barline doctor --cables` tells what arrives from a device."""
    script = ["export BARLINE_MIDI_KEYS='pause note 60'", "arrivals", "noted listening", "send '\\x93\\x3c\\x64'",
              "told 'ch 4 note 60'", "send '\\xc3\\x05'", "told 'ch 4 program 5'", "kill -INT $player", "unset BARLINE_MIDI_KEYS"]

    def check(case, rows, heard, outcome):
        for line in ("  ok      MIDI in: 'ch 4 note 60' arrives, and means pause",
                     "  note    MIDI in: 'ch 4 program 5' arrives, and means nothing"):
            if case.text("out").count(line) != 1:
                outcome.fail(f"told: {case.text('out')}")
    return Case("doctor --cables", DUMMY, score, lambda number: script, check, has_log=False)


# --- Unplugging

def check_away(case, rows, heard, outcome):
    """What is lost after the card was unplugged lies in one piece; what the log calls heard was, in its place. Returns the
    bars that were lost while it was away."""
    checks.check_played_through(rows, case.score.durations, outcome)
    away = [row.index for row in rows if row.is_lost and row.index > UNPLUGGED_AFTER]
    checks.take_rows(rows, outcome, may_lose=away)
    if case.before is None or not away or away != list(range(away[0], away[-1] + 1)):
        outcome.fail(f"the card was unplugged after bar {UNPLUGGED_AFTER}, and the log calls the bars {away} lost")
        return away
    dues = [case.score.due(number, row) for number, row in enumerate(rows, 1)]
    before = [due for due, row in zip(dues, rows) if row.index < away[0]]
    after = [due for due, row in zip(dues, rows) if row.index > away[-1]]
    told = {due.name for due, row in zip(dues, rows) if row.is_lost}
    outcome.expected += len(away)
    clicks = sound.clicks(case.before)
    # What was in the cable when it was pulled is not judged.
    last = len(case.before) - CLICK_FRAMES
    offset = checks.place(before, clicks, told)
    before, clicks = [due for due in before if due.frame + offset < last], [c for c in clicks if c.frame < last]
    checks.listen(before, clicks, outcome, told)
    checks.listen(after, heard, outcome)
    return away


def unplugged_for_a_while(score):
    """Unplugged while it plays, and plugged in again: the piece goes on by the clock, and is heard again."""
    script = [f"play {USB.device}", f"rows {UNPLUGGED_AFTER}", "host unplug", "sleep 3", "host plug", "usb_card",
              "wc -l < log.csv > back"]

    def check(case, rows, heard, outcome):
        away = check_away(case, rows, heard, outcome)
        # Its first line names the columns.
        back = int(case.text("back") or 1) - 1
        if away and away[-1] > back + BARS_TO_COME_BACK:
            outcome.fail(f"the card was back at bar {back}, and bar {away[-1]} is lost")
    return Case("unplugged for a while: USB", USB, score, lambda number: script, check)


def unplugged_for_good(score):
    """Unplugged while it plays, and never plugged in again: the piece ends all the same, and when it should."""
    script = [f"play {USB.device}", f"rows {UNPLUGGED_AFTER}", "host unplug"]

    def check(case, rows, heard, outcome):
        check_away(case, rows, heard, outcome)
        lasted = float(case.text("ended") or 0) - float(case.text("began") or 0)
        if not 0 <= lasted - sum(score.durations) <= SECONDS_TO_BEGIN_AND_END:
            outcome.fail(f"a piece of {sum(score.durations):.1f} s ended {lasted:.1f} s after the program was called")
    return Case("unplugged for good: USB", USB, score, lambda number: script, check)


def all_cases(folder, program, starts):
    """Every case with the number of its runs, for so many starts on each card."""
    short = [[0.5, 0.35, 0.6], [0.4, 0.55, 0.45]]
    # No two bars are equally long: by their distances clicks tell where in the piece they are.
    lengths = [round(0.35 + 0.005 * (23 * n % 40), 3) for n in range(40)]
    lines = [lengths[n : n + 4] for n in range(0, 40, 4)]
    plain = Score(folder, "plain", program, short)
    counted = Score(folder, "counted", program, short, count_in=2)
    middle, long = Score(folder, "middle", program, lines[:5]), Score(folder, "long", program, lines)
    some = max(1, starts // 5)
    cases = []
    for card in (HDA, PLUG, DMIX, ALOOP, DUMMY, USB):
        cases += [(aplay(card, counted), some)] if card.recorder else []
        cases += [(start(card, plain), starts - starts // 2), (start(card, counted), starts // 2)]
    # An emulated machine takes long to draw the stand. With one or two starts, keys are pressed on one card only.
    for card in (HDA, DMIX):
        cases.append((pause_from_elsewhere(card, middle), some))
    for card in (HDA, DMIX) if starts > 2 else (HDA,):
        cases.append((pause_by_key(card, long), some))
        for case in (next_line, previous_bar, end_of_no_loop, speed):
            cases.append((case(card, middle), some))
    cases += [(pause_by_midi(long), some), (next_line_by_midi(middle), some), (midi_comes_back(long), 1), (learn(plain), 1),
              (arrivals(plain), 1)]
    cases += [(unplugged_for_a_while(long), some), (unplugged_for_good(middle), some)]
    cases += [(case, 1) for case in (midi(), midi([170, 170, 170]), midi_paused(), midi_away())]
    cases.append((latency(plain), starts))
    # The end of the test sound may still be recorded when the next case begins, so these come last.
    cases += [(doctor(card, plain), 1) for card in (HDA, DMIX, DUMMY, USB)] + [(doctor_of_no_card(plain), 1)]
    return [(case, runs) for case, runs in cases if runs > 0]
