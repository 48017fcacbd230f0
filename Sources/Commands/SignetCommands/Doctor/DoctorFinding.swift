import StrictJSON

/// What the doctor found out about one thing.
struct DoctorFinding: Sendable {
    /// How serious it is.
    enum Verdict: String, Sendable {
        /// In order.
        case well
        /// Works, but some phones will complain.
        case weak
        /// Does not work.
        case ill
    }

    /// A stable name, for programs.
    var name: String
    /// How serious it is.
    var verdict: Verdict
    /// What was seen.
    var observation: String
    /// What to do; nil when there is nothing to do.
    var advice: String?

    /// The finding for people.
    var text: String {
        let mark =
            switch verdict {
            case .well: "✔"
            case .weak: "!"
            case .ill: "✘"
            }
        return "\(mark) \(observation)" + (advice.map { "\n  → \($0)" } ?? "")
    }

    /// The finding for programs.
    var json: JSONValue {
        .object(
            JSONObject([
                "name": .string(name), "ok": .bool(verdict != .ill), "verdict": .string(verdict.rawValue),
                "observation": .string(observation), "advice": advice.map(JSONValue.string) ?? .null,
            ]))
    }
}
