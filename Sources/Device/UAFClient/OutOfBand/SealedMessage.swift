/// Message that a server encrypted to this device: its form was checked, and it is not open yet.
package protocol SealedMessage: Sendable {
    /// Reason why a text is no such message, or why no key of this device opens it.
    associatedtype Refusal: Error

    init(parsing text: String) throws(Refusal)

    /// Hint at the key that opens it: the thumbprint of a key, or the identifier of a record; nil for none.
    var keyID: String? { get }
}
