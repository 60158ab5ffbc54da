"""Clicks in recordings: where each begins, and whether it is whole."""
import dataclasses
import wave

import numpy

RATE, FRAME_BYTES = 48000, 4
# What is louder than this is no silence; clicks peak at half of full scale.
AUDIBLE = 0.02
# So long has to be silent before a click, and so much of one is compared.
QUIET_FRAMES, SHAPE_FRAMES = RATE // 50, RATE // 40
# What is left when a click is taken from its recording, of its energy: under 0.03 wherever between two frames it begins;
# over 0.06 where its first 2 ms are missing, or all after its first 8 ms (its first 12 ms, for the bell of a line).
WHOLE = 0.06
# An onset is found to so many frames.
ONSET_FRAMES = 2


@dataclasses.dataclass
class Click:
    """A sound between silences."""

    frame: int
    shape: numpy.ndarray
    # All of it, up to the silence after it: more than one click where the next begins before that.
    whole: numpy.ndarray


def read_wav(path):
    """The 16-bit stereo frames of a file."""
    with wave.open(path, "rb") as file:
        return file.readframes(file.getnframes())


def samples(data):
    """The first channel of 16-bit stereo frames, full scale 1."""
    return numpy.frombuffer(data[: len(data) // FRAME_BYTES * FRAME_BYTES], "<i2")[::2].astype(numpy.float64) / 32768


def clicks(sound):
    """All sounds, in order: each begins after 20 ms of silence."""
    loud = numpy.flatnonzero(abs(sound) > AUDIBLE)
    begins = loud[numpy.insert(numpy.diff(loud) > QUIET_FRAMES, 0, True)] if len(loud) else loud
    padded = numpy.concatenate([sound, numpy.zeros(SHAPE_FRAMES)])
    ends = [loud[loud < following][-1] + SHAPE_FRAMES for following in numpy.append(begins[1:], len(sound))[: len(begins)]]
    return [Click(int(begin), padded[begin:][:SHAPE_FRAMES], padded[begin:end]) for begin, end in zip(begins, ends)]


def difference(heard, click, frames=SHAPE_FRAMES):
    """What is left of the energy of a click's first frames when it is taken from what was heard, 0 for the same, where both
    lie best."""
    shape = click.shape[:frames]
    def left(shift):
        moved = (numpy.roll(heard.shape, shift)[:frames] - shape)[ONSET_FRAMES:-ONSET_FRAMES]
        return float(moved @ moved) / float(shape @ shape)
    return min(left(shift) for shift in range(-ONSET_FRAMES, ONSET_FRAMES + 1))


def inside(heard, first, click, frame, reach):
    """Where in a sound that begins with the click `first` another begins, at most `reach` frames from `frame`, and what is
    left of its energy when both are taken away."""
    padded = numpy.concatenate([heard.whole, numpy.zeros(frame + reach + SHAPE_FRAMES)])
    padded[: len(first.whole)] -= first.whole
    def left(begin):
        moved = padded[begin:][:SHAPE_FRAMES] - click.shape
        return float(moved @ moved) / float(click.shape @ click.shape)
    begin = min(range(max(frame - reach, 0), frame + reach + 1), key=left)
    return begin, left(begin)


def write_wav(path, data):
    """Writes 16-bit stereo frames into a file."""
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", None))
        file.writeframes(data)
