// Everything that an ordinary program needs, with one import: texts become scores, times and sound.
//
// The libraries stay apart, so that a program that only computes times does not link the code for sound cards. In Swift
// only `@_exported` passes on the declarations of other modules.

@_exported public import Formats
@_exported public import Languages
@_exported public import Playback
@_exported public import Running
@_exported public import Scores
@_exported public import Timing
