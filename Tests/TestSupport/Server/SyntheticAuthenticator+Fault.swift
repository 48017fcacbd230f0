/// Fault of an otherwise valid assertion.
package struct SyntheticFault {
    /// No fault.
    package static var none: SyntheticFault { SyntheticFault() }

    /// Change of the signed element before it is signed, as by a dishonest authenticator.
    package var signedData: ((inout SyntheticTLV) -> Void)?
    /// Change of the signature.
    package var signature: ((inout [UInt8]) -> Void)?
    /// Change of the whole assertion after signing, as by a network attacker.
    package var assertion: ((inout SyntheticTLV) -> Void)?
    /// Change of the bytes of the whole assertion.
    package var octets: ((inout [UInt8]) -> Void)?

    /// Fault with the given changes.
    package init(
        signedData: ((inout SyntheticTLV) -> Void)? = nil, signature: ((inout [UInt8]) -> Void)? = nil,
        assertion: ((inout SyntheticTLV) -> Void)? = nil, octets: ((inout [UInt8]) -> Void)? = nil
    ) {
        self.signedData = signedData
        self.signature = signature
        self.assertion = assertion
        self.octets = octets
    }
}
