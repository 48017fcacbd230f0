import Crypto
import Octets
import StrictJSON
import TestSupport
import UAF

@testable import RelyingParty

/// One case of `uaf/synthetic-*.json`: what the server knows, what the client sent, and how it has to end.
struct ServerVector {
    struct Expectation {
        let isAccepted: Bool
        let status: UInt32
        let acceptedAssertions: [Int]?
        let flag: String?
    }

    struct UnknownMember: Error {
        let name: String
    }

    let id: String
    let kind: String
    let expectation: Expectation
    let message: [UInt8]
    private let context: JSONObject

    static func cases(of file: String) throws -> [ServerVector] {
        let bytes = try VectorFolder.bytes(of: "uaf/\(file)")
        let document = try JSONParser.parse(bytes, limits: .document).asObject()
        return try document.required("cases") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { entry throws(JSONTypeError) in try entry.asObject() }
        }.map(ServerVector.init)
    }

    init(_ entry: JSONObject) throws {
        try Self.require(entry, only: ["id", "kind", "expect", "basis", "why", "context", "response"])
        id = try entry.text("id")
        kind = try entry.text("kind")
        context = try entry.object("context")
        try Self.require(
            context,
            only: [
                "appID", "trustedFacets", "challenge", "challengeState", "serverData", "username", "policy", "metadata",
                "registrations", "transactions",
            ])
        let expect = try entry.object("expect")
        try Self.require(expect, only: ["accept", "status", "rule", "flag", "acceptedAssertions"])
        expectation = Expectation(
            isAccepted: try expect.required("accept") { value throws(JSONTypeError) in try value.asBool() },
            status: try expect.required("status") { value throws(JSONTypeError) in try value.asInteger() },
            acceptedAssertions: try expect.optional("acceptedAssertions") { value throws(JSONTypeError) in
                try value.asArray { position throws(JSONTypeError) in try position.asInteger() }
            },
            flag: try expect.optional("flag") { value throws(JSONTypeError) in try value.asString() })
        message = JSONWriter.write(entry["response"] ?? .null)
    }

    private static func require(_ object: JSONObject, only names: Set<String>) throws {
        for member in object.members where !names.contains(member.name) { throw UnknownMember(name: member.name) }
    }

    // MARK: - What the server knows

    var settings: RelyingPartySettings {
        get throws {
            let facets = try context.required("trustedFacets") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { facet throws(JSONTypeError) in try FacetID(json: facet, rules: .strict) }
            }
            return RelyingPartySettings(
                models: ModelCatalog(metadata: try metadata), facets: TrustedFacets(facets))
        }
    }

    private var metadata: MetadataCatalog {
        get throws {
            try context.required("metadata") { value throws(JSONTypeError) in try MetadataCatalog(json: value) }
        }
    }

    var account: AccountReference {
        get throws { AccountReference(Array(try context.text("username").utf8)) }
    }

    var request: SentRequest {
        get throws {
            SentRequest(
                appID: AppID(try context.text("appID")), serverData: ServerData(try context.text("serverData")),
                challenge: try context.required("challenge", rules: .strict),
                policy: try context.required("policy", rules: .strict))
        }
    }

    var challengeState: ChallengeState {
        get throws {
            switch try context.optional("challengeState", { value throws(JSONTypeError) in try value.asString() }) {
            case nil: .fresh
            case "consumed": .consumed
            case "expired": .expired
            case let other?: throw UnknownMember(name: other)
            }
        }
    }

    var transactionHashes: [[UInt8]] {
        get throws {
            let contents = try context.optional("transactions") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { entry throws(JSONTypeError) in
                    try entry.asObject().required("content") { text throws(JSONTypeError) in try text.asString() }
                }
            }
            return try (contents ?? []).map { Array(SHA256.hash(data: try Base64URL.decode($0))) }
        }
    }

    /// The stored credentials; their algorithm is the one of the metadata.
    var registrations: [StoredCredential] {
        get throws {
            let entries = try context.required("registrations") { value throws(JSONTypeError) in
                try value.asArray { entry throws(JSONTypeError) in try entry.asObject() }
            }
            return try entries.map { try credential($0) }
        }
    }

    private func credential(_ entry: JSONObject) throws -> StoredCredential {
        let id = CredentialID(
            aaid: try entry.required("aaid", rules: .strict), keyID: try entry.required("keyID", rules: .strict))
        let format = try entry.required("publicKeyAlgAndEncoding") { value throws(JSONTypeError) in
            PublicKeyFormat(rawValue: try value.asInteger())
        }
        guard let algorithm = try metadata[id.aaid]?.signing.algorithm else { throw UnknownMember(name: "aaid") }
        let key = try VerificationKey(
            try Base64URL.decode(try entry.text("publicKey")), format: format, algorithm: algorithm)
        let counter = try entry.required("signCounter") { value throws(JSONTypeError) in
            try value.asInteger(UInt32.self)
        }
        return StoredCredential(
            registration: RegistrationReference(id.keyID.octets), account: try account, id: id, key: key,
            use: StoredCredential.Use(signCounter: counter, registeredAt: Moment(milliseconds: 0)))
    }
}
