import BackendAPI
import Octets
import ServerCore
import StrictJSON
import Testing
import UAF
import UAFService

/// Attack A-21: an attacker reads the link on its way (a chat, a proxy, a shoulder).
///
/// What he can do with the token is a matter of the services; here is what the link itself tells him.
@Suite("A-21: Who reads a link that is not sealed, and who reads one that is")
struct LinkReaderTests {
    private static let content = OutOfBandContent(
        token: "b4b07559-f934-4597-a1c5-44d89f691e8f",
        redeemURL: "https://a.example/nevisfido/token/redeem/authentication",
        channelLinking: .typed(length: 2))
    private static let jwe = "eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImtpZCI6ImsifQ..aXZpdg.c2VhbGVk.dGFn"

    private func parcel(_ envelope: OutOfBandEnvelope) -> DispatchPayload {
        let members = envelope.textMembers.map(\.value)
        return DispatchPayload(
            envelope: .init(
                content: members[0], contentType: members[1], version: members[2],
                text: String(decoding: envelope.body, as: UTF8.self)),
            destination: nil, notification: nil, operation: .authentication, createdAt: Timestamp(seconds: 0),
            expiresAt: Timestamp(seconds: 120))
    }

    private func link(_ envelope: OutOfBandEnvelope, requiresEncryption: Bool = false) async throws -> String {
        let address = try #require(LinkAddress("https://link.example/open"))
        let dispatcher = LinkDispatcher(address: address, requiresEncryption: requiresEncryption)
        guard case .delivered(let response, _) = await dispatcher.dispatch(parcel(envelope)) else { return "" }
        return response
    }

    /// What can be read in a link without any key.
    private func read(_ link: String) throws -> OutOfBandEnvelope {
        let value = try #require(link.split(separator: "=", maxSplits: 1).last)
        return try OutOfBandEnvelope(base64URL: String(value))
    }

    @Test("The reader of a plain link has the token and where to redeem it: both are all that he gets")
    func plain() async throws {
        guard case .plain(let content) = try read(await link(OutOfBandEnvelope(.plain(Self.content)))).content else {
            Issue.record("the link is sealed")
            return
        }
        #expect(content.token == Self.content.token)
        #expect(content.redeemURL == Self.content.redeemURL)
        #expect(content.attributes == .none)
        let document = try JSONParser.parse(content.body, limits: .body).asObject()
        #expect(Set(document.members.map(\.name)) == ["token", "redeem_url", "channel_linking"])
    }

    @Test("The digits that link the screens are in no link: he would have to see the screen, too")
    func digits() async throws {
        let link = try await link(OutOfBandEnvelope(.plain(Self.content)))
        guard case .plain(let content) = try read(link).content else { return }
        let linking = try JSONParser.parse(content.body, limits: .body).asObject().required("channel_linking") {
            value throws(JSONTypeError) in try value.asObject()
        }
        #expect(Set(linking.members.map(\.name)) == ["mode", "length"])
    }

    @Test("The reader of a sealed link has neither")
    func sealed() async throws {
        let link = try await link(OutOfBandEnvelope(.encrypted(Self.jwe)), requiresEncryption: true)
        #expect(try read(link).content == .encrypted(Self.jwe))
        let seen = try String(decoding: read(link).body, as: UTF8.self)
        for secret in [Self.content.token, Self.content.redeemURL] {
            #expect(!seen.contains(secret) && !link.contains(secret))
            #expect(!link.contains(Base64URL.encode(Array(secret.utf8)).prefix(20)))
        }
    }
}
