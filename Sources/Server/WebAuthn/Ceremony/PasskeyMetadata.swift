package import DeviceAttestation
package import FoundationEssentials
import Octets
import StrictJSON
import X509

/// Models of authenticators from a signed list that the FIDO Alliance publishes (FIDO Metadata Service 3.0, section 3.1.6).
///
/// The list is a file: nothing is fetched. Entries without an AAGUID, of other protocols, are left out.
package struct PasskeyMetadata: Hashable, Sendable {
    private static let headerLimits = JSONLimits(byteCount: 64 << 10, depth: 4, elementCount: 64)

    /// Number of the list; a later list has a greater one.
    package let number: Int
    /// Day on which the next list is expected at the latest, as YYYY-MM-DD.
    package let nextUpdate: String
    package let models: [AAGUID: PasskeyModel]

    /// Reads a list and verifies its signature by certificates that end at these roots at this time, on a day on which it is
    /// not expired.
    ///
    /// `name` is the one that the certificate of the signer has to have. Throws ``MetadataRefusal``.
    package init(
        _ text: [UInt8], endingAt roots: TrustRoots, at time: Date, signedBy name: String = "mds.fidoalliance.org"
    ) async throws(MetadataRefusal) {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0], Self.headerLimits),
            let signature = Self.octets(parts[2])
        else { throw .malformed }
        let leaf = try await Self.signer(header, endingAt: roots, at: time)
        guard Self.isNamed(name, leaf) else { throw .foreignSigner }
        let algorithm: COSEAlgorithm? =
            switch header["alg"] {
            case .string("RS256"): .rs256
            case .string("ES256"): .es256
            default: nil
            }
        guard let algorithm, let verifier = SignatureVerifier(leaf.publicKey, algorithm: algorithm.rawValue),
            verifier.verifies(fixedLength: signature, over: Array(text.dropLast(parts[2].count + 1)))
        else { throw .signature }
        guard let payload = Self.octets(parts[1]) else { throw .malformed }
        let content = try Content(payload)
        (number, nextUpdate, models) = (content.number, content.nextUpdate, content.models)
        guard time.formatted(.iso8601.year().month().day()) <= nextUpdate else { throw .expired(nextUpdate) }
    }

    /// Refuses a list before another one: it may lack revocations.
    package func requireNotEarlier(than other: PasskeyMetadata?) throws(MetadataRefusal) {
        if let other, number < other.number { throw .earlier(number, than: other.number) }
    }

    // MARK: - Signer

    private static func signer(
        _ header: JSONObject, endingAt roots: TrustRoots, at time: Date
    ) async throws(MetadataRefusal) -> Certificate {
        guard case .array(let chain) = header["x5c"] else { throw .malformed }
        let certificates = chain.compactMap { element -> [UInt8]? in
            guard case .string(let text) = element else { return nil }
            return try? Base64.decode(text)
        }
        guard certificates.count == chain.count else { throw .malformed }
        do throws(PathRefusal) {
            guard let leaf = try await roots.path(of: certificates, at: time).first else { throw .malformed }
            return leaf
        } catch {
            throw .path(error)
        }
    }

    private static func isNamed(_ name: String, _ leaf: Certificate) -> Bool {
        let names = (try? leaf.extensions.subjectAlternativeNames).flatMap(\.self) ?? SubjectAlternativeNames()
        return names.contains { found in
            guard case .dnsName(let found) = found else { return false }
            return found.hasSameOctets(as: name)
        }
    }

    private static func octets(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        try? Base64URL.decode(String(decoding: part, as: UTF8.self))
    }

    private static func object(_ part: ArraySlice<UInt8>, _ limits: JSONLimits) -> JSONObject? {
        guard let octets = octets(part) else { return nil }
        return try? JSONParser.parse(octets, limits: limits).asObject()
    }

}

extension PasskeyMetadata {
    /// Content of a list, of which no signature is verified.
    package struct Content {
        private static let limits = JSONLimits(byteCount: 24 << 20, depth: 16, elementCount: 65_536)
        /// Status words that make a model unacceptable (section 3.1.4).
        private static let revoking: Set<String> = [
            "REVOKED", "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
            "USER_KEY_PHYSICAL_COMPROMISE",
        ]

        let number: Int
        let nextUpdate: String
        let models: [AAGUID: PasskeyModel]

        /// Reads JSON; throws ``MetadataRefusal/malformed``.
        package init(_ text: [UInt8]) throws(MetadataRefusal) {
            do throws(JSONTypeError) {
                guard let members = try? JSONParser.parse(text, limits: Self.limits).asObject() else {
                    throw JSONTypeError(.invalidForm)
                }
                number = try members.integer("no")
                nextUpdate = try members.string("nextUpdate")
                guard nextUpdate.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else { throw JSONTypeError(.invalidForm) }
                models = try Self.models(
                    try members.required("entries") { value throws(JSONTypeError) in try value.asArray() })
            } catch {
                throw .malformed
            }
        }

        private static func models(_ entries: [JSONValue]) throws(JSONTypeError) -> [AAGUID: PasskeyModel] {
            var models: [AAGUID: PasskeyModel] = [:]
            for entry in entries {
                let members = try entry.asObject()
                guard let text = try members.optionalString("aaguid") else { continue }
                guard let id = AAGUID(text), models[id] == nil else { throw JSONTypeError(.invalidForm) }
                models[id] = try model(members)
            }
            return models
        }

        private static func model(_ members: JSONObject) throws(JSONTypeError) -> PasskeyModel {
            let statement = try members.required("metadataStatement") { value throws(JSONTypeError) in
                try value.asObject()
            }
            let certificates = try statement.required("attestationRootCertificates") { value throws(JSONTypeError) in
                try value.asArray { text throws(JSONTypeError) in
                    guard let octets = try? Base64.decode(try text.asString()) else {
                        throw JSONTypeError(.invalidForm)
                    }
                    return octets
                }
            }
            let words = try members.required("statusReports") { value throws(JSONTypeError) in
                try value.asArray { report throws(JSONTypeError) in try report.asObject().string("status") }
            }
            guard let roots = try? TrustRoots(certificates) else { throw JSONTypeError(.invalidForm) }
            return PasskeyModel(
                name: try statement.string("description"), roots: roots,
                isRevoked: !revoking.isDisjoint(with: words))
        }
    }
}

/// File of a list of models, and roots that its signer's certificates have to end at.
package struct PasskeyMetadataFile: Hashable, Sendable {
    package let path: String
    package let roots: TrustRoots

    package init(path: String, roots: TrustRoots) {
        (self.path, self.roots) = (path, roots)
    }
}

/// Reason to refuse a list of models.
@nonexhaustive
package enum MetadataRefusal: Error, Hashable, Sendable {
    /// The text is not a signed list of this structure.
    case malformed
    case path(PathRefusal)
    /// The certificate of the signer has another name.
    case foreignSigner
    case signature
    /// The day of the next list, as YYYY-MM-DD, is over.
    case expired(String)
    case earlier(Int, than: Int)
}

extension MetadataRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "it is no signed list of models (FIDO MDS 3)"
        case .path(let refusal): "its certificates do not end at the roots: \(refusal)"
        case .foreignSigner: "its signer has another name than the FIDO Alliance's"
        case .signature: "its signer has not signed it"
        case .expired(let day): "it has expired: the next one was due on \(day)"
        case .earlier(let number, let other): "it has number \(number), and number \(other) is in use already"
        }
    }
}
