import StrictJSON

/// One step of a demonstration, done.
struct DemoStep: Sendable {
    /// A stable name, for programs.
    var name: String
    /// What happened, for people.
    var sentence: String
    /// Whether it is what the story says.
    var isAsTold: Bool
    /// How long it took.
    var milliseconds: Int

    /// The step as a program reads it.
    var json: JSONValue {
        .object(
            JSONObject([
                "name": .string(name), "ok": .bool(isAsTold), "milliseconds": .integer(milliseconds),
                "detail": .string(sentence),
            ]))
    }
}
