/// Names a user for ever, in the identifiers of the caller's store; this target only compares it.
package struct AccountReference: Hashable, Sendable {
    package let octets: [UInt8]

    package init(_ octets: [UInt8]) {
        self.octets = octets
    }
}
