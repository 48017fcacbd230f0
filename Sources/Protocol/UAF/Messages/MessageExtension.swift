/// An extension of a message, a criteria or an assertion entry; unsigned.
///
/// FIDO UAF Protocol 1.1, 3.1.8. Anything relevant for security needs an ``AssertionExtension`` inside the signed data.
public struct MessageExtension: Hashable, Sendable {
    /// Which extension.
    public let id: ExtensionID
    /// Its data; may be empty, binary data is base64url.
    public let data: String
    /// Whether a receiver that does not know the extension must fail.
    public let failIfUnknown: Bool

    /// Makes an extension.
    public init(id: ExtensionID, data: String, failIfUnknown: Bool) {
        self.id = id
        self.data = data
        self.failIfUnknown = failIfUnknown
    }

    /// Whether both extensions are the same, byte by byte.
    public static func == (left: MessageExtension, right: MessageExtension) -> Bool {
        left.id == right.id && ExactString(left.data) == ExactString(right.data)
            && left.failIfUnknown == right.failIfUnknown
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(ExactString(data))
        hasher.combine(failIfUnknown)
    }
}
