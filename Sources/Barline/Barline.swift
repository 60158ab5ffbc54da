// Everything that an ordinary program needs, with one import: texts become scores, scores become times, times become sound.
//
// The libraries stay apart, so that a program that only computes times links no sound card. `@_exported` is the only way in
// Swift to hand the declarations of other modules on: without it every program would import four modules by name.

@_exported public import Formats
@_exported public import Playback
@_exported public import Running
@_exported public import Scores
@_exported public import Timing
