/// A value with a secret in it: reflection shows nothing, and its text is the name of its type unless it says more.
protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// Name of the type, and nothing of the value.
    public var description: String { "\(Self.self)" }

    /// Empty, so that reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
