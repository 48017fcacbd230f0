import BackendAPI
import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

/// The part of the set that a decoder decides; the same bodies run against the real server in its own tests.
@Suite("Raw bodies of the json-endpoint set", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JSONEndpointVectorTests {
    /// Refused by the HTTP layer because of their other header fields, before a body is read.
    private static let decidedByHTTP = ["gzip-claim", "te-cl"]

    @Test("Each body is read or refused as the set says")
    func bodies() throws {
        let file = try JSONParser.parse(VectorFolder.bytes(of: "json-endpoint/cases.json"), limits: .document)
            .asObject()
        let cases = try file.required("cases") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
        for entry in cases {
            let id = try entry.string("id")
            guard !Self.decidedByHTTP.contains(id) else { continue }
            let body = try Base64.decode(entry.string("body"))
            // O-J5: what is larger than a body may be is refused by the HTTP layer, too (413).
            guard body.count <= 64 << 10 else { continue }
            let contentType = try entry.string("contentType")
            let refusal = Self.refusal(of: body, contentType: contentType)
            switch try entry.string("expect") {
            case "accept": #expect(refusal == nil, "\(id)")
            case "reject" where refusal == .unsupportedCharset: #expect(contentType.contains("utf-16"), "\(id)")
            case "reject":
                #expect([.http(status: 400), .uaf(statusCode: 1400)].contains(refusal?.answer), "\(id)")
            case "413": Issue.record("a small body cannot be too large: \(id)")
            case "415": #expect(refusal?.answer == .http(status: 415), "\(id)")
            case let other: Issue.record("unknown expectation \(other) of \(id)")
            }
        }
    }

    private static func refusal(of body: [UInt8], contentType: String) -> BackendAPIError? {
        do throws(BackendAPIError) {
            _ = try Endpoint.conformanceGet.requestType(contentType: contentType)
            let request = try GetUAFRequest(body: body).translatedFromConformance()
            switch request.operation {
            case .registration: _ = try request.context(as: RegistrationContext.self)
            case .authentication: _ = try request.context(as: AuthenticationContext.self)
            case .deregistration: _ = try request.context(as: DeregistrationContext.self)
            case nil: throw .unexpectedOperation
            }
            return nil
        } catch {
            return error
        }
    }
}
