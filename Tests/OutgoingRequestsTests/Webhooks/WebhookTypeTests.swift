import OpenID
import OutgoingRequests
import ServerCore
import Testing

@Suite("Each event of a webhook has a type of its own")
struct WebhookTypeTests {
    @Test("No two events share a type")
    func types() {
        let types = OpenIDSettings.Webhook.Event.allCases.map(WebhookBody.type(of:))
        #expect(Set(types).count == types.count)
    }
}
