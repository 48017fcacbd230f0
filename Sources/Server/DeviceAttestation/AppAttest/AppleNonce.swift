import SwiftASN1
package import X509

extension Certificate {
    private static let nonceExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    /// The nonce with which Apple ties a certificate to one statement; nil when there is none, or in another form.
    ///
    /// The extension 1.2.840.113635.100.8.2 holds a sequence of one octet string with the explicit tag 1.
    package var appleNonce: [UInt8]? {
        guard let value = extensions[oid: Self.nonceExtension]?.value else { return nil }
        let nonce = try? DER.sequence(try DER.parse(value), identifier: .sequence) { nodes in
            try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                try ASN1OctetString(derEncoded: node)
            }
        }
        return nonce.map { Array($0.bytes) }
    }
}
