import OpenID
import ServerCore
import TestSupport
import Testing

@Suite("Clients and parameters are read back as they were stored, and nothing else is")
struct RecordTests {
    private func clients() throws -> [RegisteredClient] {
        let address = try #require(OutgoingAddress("https://bank.example.com/keys"))
        let back = ["https://bank.example.com/back?x=1"]
        var poll = try ProviderFixture.shop()
        poll.backchannel = .poll
        var ping = try ProviderFixture.client("a", .privateKey(.address(address)), redirects: back)
        ping.backchannel = .ping(address)
        ping.idTokenAlgorithm = .rs256
        ping.attributeScopes = [.email, .groups]
        ping.requiresPKCE = true
        ping.requiresKeyProof = true
        ping.requiresPushedRequests = true
        var push = try ProviderFixture.client("b", .privateKey(.document([1, 2, 3])), redirects: back)
        push.backchannel = .push(address)
        push.origins = ["https://bank.example.com"]
        push.endsOfflineAccess = true
        return [poll, ping, push, try ProviderFixture.app()]
    }

    @Test("Every kind of client")
    func everyClient() throws {
        for client in try clients() {
            #expect(ClientRecord(stored: ClientRecord(client).text, id: client.id)?.client == client)
        }
    }

    @Test("A client of the version before, whose record names no scopes, has none until an operator says so")
    func withoutScopes() throws {
        let shop = try ProviderFixture.shop()
        #expect(!shop.attributeScopes.isEmpty)
        let text = ClientRecord(shop).text.replacing(#""scopes":"profile email","#, with: "")
        #expect(try #require(ClientRecord(stored: text, id: shop.id)).client.attributeScopes.isEmpty)
    }

    @Test("No client is read from another text", arguments: ["", "{}", "[]", #"{"name":"x","name":"x"}"#])
    func otherText(text: String) throws {
        let id = try #require(ClientID("shop"))
        #expect(ClientRecord(stored: text, id: id) == nil)
        #expect(AuthorizationRecord(stored: text) == nil)
    }

    @Test("Parameters with everything, and with what every request names only")
    func parameters() throws {
        let client = try #require(ClientID("shop"))
        let redirect = try #require(RedirectAddress(ProviderFixture.back))
        let bare = AuthorizationParameters(
            client: client, redirect: redirect, codeChallenge: [UInt8](repeating: 7, count: 32))
        var full = bare
        full.responseMode = .formPost
        full.scopes = [.openID, .offlineAccess]
        full.state = "s\"\\ "
        full.nonce = "n"
        full.prompts = [.login, .selectAccount]
        full.maximumAge = .seconds(60)
        full.loginHint = "jéff"
        full.assurance = [.chipWithPIN, .key]
        full.text = "Pay 1\n→ Shop"
        full.language = "fr"
        let withoutPKCE = AuthorizationParameters(client: client, redirect: redirect, codeChallenge: nil)
        for parameters in [bare, full, withoutPKCE] {
            #expect(AuthorizationRecord(stored: AuthorizationRecord(parameters).text)?.parameters == parameters)
        }
    }
}
