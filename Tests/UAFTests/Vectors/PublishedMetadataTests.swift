import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "Metadata Statements 1.1, 4: the statements that the vendor has published",
    .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct PublishedMetadataTests {
    /// What the built-in statements of Android correct: an RSA algorithm stands beside EC key formats as published.
    private static let corrections = ["authenticationAlgorithm": 2, "publicKeyAlgAndEncoding": 257]
    /// Members that the published statements lack: the icon, RSA keys of Android, and two that have the standard's default.
    private static let additions: [String: JSONValue?] = [
        "icon": nil, "additionalSigningProfiles": nil, "isKeyRestricted": .bool(true),
        "isFreshUserVerificationRequired": .bool(true),
    ]

    @Test("The built-in statements equal the published ones in each member but the algorithm and key format of Android")
    func members() throws {
        let published = try JSONParser.parse(
            VectorFolder.bytes(of: "uaf/closed-sdk-metadata.json"), limits: .document
        ).asArray { value throws(JSONTypeError) in try value.asObject() }
        #expect(published.count == 8)
        var corrected: [String: Set<String>] = [:]
        for statement in published {
            let aaid = try statement.string("aaid")
            let own = try MetadataCatalog.product[AAID(aaid).unwrapped()].unwrapped().json.asObject()
            for member in statement.members where own[member.name] != member.value {
                corrected[aaid, default: []].insert(member.name)
                #expect(try own.integer(member.name) == Self.corrections[member.name], "\(aaid)")
            }
            for member in own.members where statement[member.name] == nil {
                let addition = try #require(Self.additions[member.name], "\(aaid): \(member.name)")
                #expect(addition == nil || addition == member.value, "\(aaid): \(member.name)")
            }
        }
        let android = ["F1D0#0001", "F1D0#0002", "F1D0#0003", "F1D0#0004"]
        #expect(corrected == Dictionary(uniqueKeysWithValues: android.map { ($0, Set(Self.corrections.keys)) }))
    }
}
