import StrictCBOR

/// Statement about a new key, as Apple's framework gives it to an application.
package struct AppAttestObject: Hashable, Sendable {
    private static let format = "apple-appattest"

    /// Certificates (DER), the key's certificate first.
    let certificates: [[UInt8]]
    /// Receipt for Apple's assessment of fraud.
    let receipt: [UInt8]
    /// Authenticator data (Web Authentication, section 6.1), as the nonce covers it.
    let authenticatorData: [UInt8]

    /// Reads a statement; throws ``AppAttestRefusal``: `encoding`, `structure`, or `format`.
    package init(_ octets: [UInt8]) throws(AppAttestRefusal) {
        let map = try CBORMap(appAttest: octets)
        guard map.has(exactly: ["attStmt", "authData", "fmt"]), let format = map["fmt"]?.text,
            let statement = map["attStmt"]?.map, let state = map["authData"]?.octets
        else { throw .structure }
        guard format.utf8.elementsEqual(Self.format.utf8) else { throw .format }
        guard statement.has(exactly: ["receipt", "x5c"]), let receipt = statement["receipt"]?.octets,
            let list = statement["x5c"]?.elements
        else { throw .structure }
        certificates = try list.map { element throws(AppAttestRefusal) in
            guard let certificate = element.octets else { throw .structure }
            return certificate
        }
        self.receipt = receipt
        authenticatorData = state
    }
}

/// Signature of an attested key, as Apple's framework gives it to an application.
package struct AppAttestAssertion: Hashable, Sendable {
    /// ECDSA signature (DER).
    let signature: [UInt8]
    /// Authenticator data (Web Authentication, section 6.1), as the signature covers it.
    let authenticatorData: [UInt8]

    /// Reads an assertion; throws ``AppAttestRefusal``: `encoding` or `structure`.
    package init(_ octets: [UInt8]) throws(AppAttestRefusal) {
        let map = try CBORMap(appAttest: octets)
        guard map.has(exactly: ["authenticatorData", "signature"]), let signature = map["signature"]?.octets,
            let state = map["authenticatorData"]?.octets
        else { throw .structure }
        self.signature = signature
        authenticatorData = state
    }
}

extension CBORMap {
    /// Reads a map that fills the octets.
    fileprivate init(appAttest octets: [UInt8]) throws(AppAttestRefusal) {
        let value: CBORValue
        do throws(StrictCBORError) {
            value = try CBORParser.parse(octets)
        } catch {
            throw .encoding(error)
        }
        guard let map = value.map else { throw .structure }
        self = map
    }
}
