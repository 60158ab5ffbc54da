/// Linear timecode (SMPTE ST 12-1, LTC): words of 80 bits, one for each frame of the film, as a square wave that changes at
/// the beginning of every bit and in the middle of each bit that is one.
///
/// A sample is a closed form of its frame. This works because every word begins with the same polarity: its polarity bit
/// makes the number of ones even.
#include "internal.h"

enum {
    BITS = 80,
    /// The bits 64 ... 79: 0011 1111 1111 1101, the first one first.
    SYNC = 0xBFFC,
    DROPPED_IN_TEN_MINUTES = 18,
};

/// The number that is shown for a frame of the day: drop-frame timecode leaves out two numbers in nine of ten minutes.
static int64_t shown_number(const drone_timecode_event *code, int64_t number) DRONE_REALTIME {
    int64_t ten_minutes = 600 * (int64_t)code->numbers_per_second;
    if (code->drops) ten_minutes -= DROPPED_IN_TEN_MINUTES;
    int64_t day = 144 * ten_minutes;
    number %= day;
    if (number < 0) number += day;
    if (!code->drops) return number;
    int64_t minute = 60 * (int64_t)code->numbers_per_second - 2, tens = number / ten_minutes, rest = number % ten_minutes;
    return number + DROPPED_IN_TEN_MINUTES * tens + (rest < minute + 2 ? 0 : 2 * ((rest - 2) / minute));
}

static void put(uint8_t *word, uint32_t first, int64_t value) DRONE_REALTIME {
    for (uint32_t bit = first; value > 0; bit++, value >>= 1) word[bit / 8] |= (uint8_t)((value & 1) << bit % 8);
}

void drone_timecode_word(const drone_timecode_event *code, int64_t number, uint8_t word[10]) DRONE_REALTIME {
    int64_t shown = shown_number(code, number), per_second = code->numbers_per_second;
    int64_t frame = shown % per_second, second = shown / per_second % 60;
    int64_t minute = shown / per_second / 60 % 60, hour = shown / per_second / 3600;
    for (int i = 0; i < 10; i++) word[i] = 0;
    put(word, 0, frame % 10);
    put(word, 8, frame / 10);
    put(word, 10, code->drops);
    put(word, 16, second % 10);
    put(word, 24, second / 10);
    put(word, 32, minute % 10);
    put(word, 40, minute / 10);
    put(word, 48, hour % 10);
    put(word, 56, hour / 10);
    put(word, 64, SYNC);
    int ones = 0;
    for (int i = 0; i < 10; i++) ones += __builtin_popcount(word[i]);
    // Where the polarity bit is depends on the rate.
    put(word, per_second == 25 ? 59 : 27, ones & 1);
}

/// The polarity of each half of a bit, 160 of them: bit n is set if the half n is high.
typedef struct halves {
    uint64_t high[3];
} halves;

static halves halves_of(const drone_timecode_event *code, int64_t number) DRONE_REALTIME {
    uint8_t word[10];
    drone_timecode_word(code, number, word);
    halves found = {{0}};
    uint64_t high = 0;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        high ^= 1;
        found.high[2 * bit / 64] |= high << 2 * bit % 64;
        high ^= word[bit / 8] >> bit % 8 & 1;
        found.high[(2 * bit + 1) / 64] |= high << (2 * bit + 1) % 64;
    }
    return found;
}

/// Half `n`, -1 ... 160: the half before a word is low, and the one after it is high.
static double polarity(const halves *of, int32_t n) DRONE_REALTIME {
    if (n < 0) return -1;
    if (n >= 2 * BITS) return 1;
    return of->high[n / 64] >> n % 64 & 1 ? 1 : -1;
}

/// The place in the film at a frame of the sound, in frames of the film of 2^64 each. While a number is held, the place goes
/// on all the same.
static __int128 place_at(const drone_prepared_timecode *timecode, int64_t frame) DRONE_REALTIME {
    const drone_timecode_event *code = &timecode->code;
    __int128 way = (__int128)(frame - timecode->frame) * code->step;
    way -= (int64_t)(code->fraction * 0x1p32) * (__int128)code->step >> 32;
    return ((__int128)code->number << 64) + code->phase + way;
}

static const __int128 WORD = (__int128)1 << 64, HALF_BIT = ((__int128)1 << 64) / (2 * BITS);

void drone_timecode_begin(
    drone_prepared_timecode *timecode, int64_t frame, double level, const drone_timecode_event *code
) DRONE_REALTIME {
    drone_prepared_timecode next = {.frame = frame, .level = level, .code = *code};
    __int128 before = place_at(timecode, frame), place = place_at(&next, frame), moved = place - before;
    // A number that is held has the same words, whatever is counted as their place.
    if (code->holds && timecode->code.holds && code->number == timecode->code.number) moved = (int64_t)moved;
    bool goes_on = timecode->code.step > 0 && moved < HALF_BIT && -moved < HALF_BIT;
    // After a jump, nothing is sent until the next word begins: two parts of different words could be read as one.
    __int128 start = ((__int128)code->number << 64) + code->phase;
    next.begin = goes_on ? timecode->begin - before + place : (start + WORD - 1) >> 64 << 64;
    *timecode = next;
}

void drone_timecode_add(
    const drone_prepared_timecode *timecode, int64_t frame, uint32_t rate, double *mix, uint32_t frames
) DRONE_REALTIME {
    const drone_timecode_event *code = &timecode->code;
    if (code->step == 0) return;
    // An edge rises along half a period of a sine, from 10 to 90 % in 40 µs; it takes at least two frames, so that its
    // middle can be between two frames.
    double rise = 67.8e-6 * rate, half_frames = 0x1p64 / (2.0 * BITS * (double)code->step);
    if (rise < 2) rise = 2;
    if (rise > half_frames) rise = half_frames;
    double reach = rise / 2, turns_per_frame = 0.25 / reach;
    __int128 place = place_at(timecode, frame);
    // The first word is preceded by half a bit, so that it begins with an edge.
    __int128 early = timecode->begin - HALF_BIT - place;
    uint32_t first = 0;
    if (early > 0) {
        double left = (double)early / (double)code->step;
        if (left >= frames) return;
        first = (uint32_t)left;
        place += (__int128)code->step * first;
    }
    int64_t number = code->holds ? code->number : (int64_t)(place >> 64);
    uint64_t phase = (uint64_t)place;
    halves word = halves_of(code, number);
    for (uint32_t i = first; i < frames; i++) {
        unsigned __int128 at = (unsigned __int128)phase * (2 * BITS);
        int32_t half = (int32_t)(at >> 64);
        double into = (double)(uint64_t)at * 0x1p-64 * half_frames, left = half_frames - into;
        double here = polarity(&word, half), value = here;
        if (into < reach && polarity(&word, half - 1) != here)
            value = here * drone_sin_turns(into * turns_per_frame);
        else if (left < reach && polarity(&word, half + 1) != here)
            value = here * drone_sin_turns(left * turns_per_frame);
        mix[i] += timecode->level * value;
        phase += code->step;
        if (phase >= code->step) continue;
        if (!code->holds) number++;
        word = halves_of(code, number);
    }
}
