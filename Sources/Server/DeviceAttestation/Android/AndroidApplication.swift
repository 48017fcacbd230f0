import Octets
import SwiftASN1

/// Application that a key belongs to, as the operating system states it (AttestationApplicationId).
struct AndroidApplication: Hashable {
    /// Names of the packages that share the key.
    let packages: Set<String>
    /// SHA-256 digests of the certificates with which the packages are signed.
    let signers: Set<[UInt8]>

    /// Reads the content of the property; throws `malformed`.
    init(_ octets: [UInt8]) throws(AndroidRefusal) {
        var fields = try AndroidFields(sequence: octets[...])
        packages = try Self.packages(try fields.next())
        signers = try Self.signers(try fields.next())
        try fields.finish()
    }

    /// Whether everything that shares the key is named by the demands; an empty demand takes everything.
    func meets(packages names: Set<String>, signers digests: Set<[UInt8]>) -> Bool {
        let isNamed =
            names.isEmpty
            || !packages.isEmpty
                && packages.allSatisfy { found in
                    names.contains { $0.hasSameOctets(as: found) }
                }
        return isNamed && (digests.isEmpty || !signers.isEmpty && signers.isSubset(of: digests))
    }

    private static func packages(_ node: ASN1Node) throws(AndroidRefusal) -> Set<String> {
        var elements = try AndroidFields(node, .set)
        var names: Set<String> = []
        while let element = elements.nextOrEnd() {
            // The name, and the version of the package, which is not judged.
            var package = try AndroidFields(element, .sequence)
            guard let name = String(validUTF8: try package.readOctets()) else { throw .malformed }
            names.insert(name)
        }
        return names
    }

    private static func signers(_ node: ASN1Node) throws(AndroidRefusal) -> Set<[UInt8]> {
        var elements = try AndroidFields(node, .set)
        var digests: Set<[UInt8]> = []
        while let element = elements.nextOrEnd() { digests.insert(try AndroidFields.octets(element)) }
        return digests
    }
}
