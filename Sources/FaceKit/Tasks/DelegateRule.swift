/// Live streams need a delegate; pictures and videos have no use for one.
enum DelegateRule {
  static func check(isSet: Bool, mode: RunningMode, option: String) throws(FaceKitError) {
    if isSet == (mode == .liveStream) { return }
    throw isSet
      ? .invalid(
        "a delegate is set in running mode \(mode.name)", at: option,
        advice: "leave it nil, or set runningMode to .liveStream")
      : .invalid(
        "no delegate in running mode liveStream", at: option,
        advice: "set an object that receives the results, and keep a reference to it")
  }
}
