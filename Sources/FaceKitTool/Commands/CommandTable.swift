extension Command {
  /// All commands, in the order the overview lists them. A new one is a file beside this and a line here.
  static let all: [Command] = [
    .detect,
    .landmarks,
    .vision,
    .video,
    .run,
    .inspect,
    .profile,
    .activations,
    .diff,
    .bench,
    .models,
  ]
}
