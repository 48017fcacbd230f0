/// Names one act of registering a credential, in the identifiers of whoever stores credentials.
///
/// The same AAID and KeyID registered again have another one.
package struct RegistrationReference: Hashable, Sendable {
    /// The bytes of the identifier.
    package let octets: [UInt8]

    /// Wraps an identifier.
    package init(_ octets: [UInt8]) {
        self.octets = octets
    }
}
