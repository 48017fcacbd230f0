package import UAF

/// A key that was just made; the store holds it as a pending one.
package struct CreatedKey: Hashable, Sendable {
    /// Which key on which model.
    package let credential: CredentialID
    /// The registration assertion, TLV.
    package let assertion: [UInt8]

    package init(credential: CredentialID, assertion: [UInt8]) {
        self.credential = credential
        self.assertion = assertion
    }
}
