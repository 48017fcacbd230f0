/// One thing that is wrong with an assertion; everything else is as it should be.
package struct SyntheticFault {
    /// Nothing.
    package static var none: SyntheticFault { SyntheticFault() }

    /// Changes the signed element before it is signed: what a dishonest authenticator could state.
    package var signedData: ((inout SyntheticTLV) -> Void)?
    /// Changes the signature.
    package var signature: ((inout [UInt8]) -> Void)?
    /// Changes the whole assertion after signing: what somebody on the way could do.
    package var assertion: ((inout SyntheticTLV) -> Void)?
    /// Changes the bytes of the whole assertion.
    package var octets: ((inout [UInt8]) -> Void)?

    /// Spoils what is given.
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
