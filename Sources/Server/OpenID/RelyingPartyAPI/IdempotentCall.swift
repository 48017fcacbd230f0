package import ServerCore

/// Request that creates something, as its idempotency key or its intent token names it.
package struct IdempotentCall: Sendable, Hashable {
    /// Lengths of a key in characters of visible ASCII.
    package static let keyCounts = 16...64

    /// Hash of access key and idempotency key.
    package let key: IdempotencyKeyHash
    package let content: RequestContentHash
    /// Whether the answer is given once, and refused to the same request again.
    let isGivenOnce: Bool

    /// Takes the header field of a request; nil without one, or for one of another form.
    package init?(_ field: String?, of accessKey: AccessKeyName, method: String, path: String, body: [UInt8]) {
        guard let field, Self.keyCounts.contains(field.utf8.count),
            field.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        key = IdempotencyKeyHash(of: Array(accessKey.text.utf8) + [0] + Array(field.utf8))
        content = RequestContentHash(of: Array("\(method) \(path)".utf8) + [0] + body)
        isGivenOnce = false
    }

    /// The one operation of an intent token; no field begins with the word and a blank.
    package init(_ intent: IntentToken) {
        key = IdempotencyKeyHash(of: Array(intent.key.text.utf8) + [0] + Array("intent \(intent.id)".utf8))
        content = RequestContentHash(of: [])
        isGivenOnce = true
    }
}
