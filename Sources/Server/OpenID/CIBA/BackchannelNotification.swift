import Octets
import StrictJSON

/// Content of the notification of a request, kept sealed until its end is told.
struct BackchannelNotification: Sendable {
    /// Way in which the end is told.
    enum Delivery: String, Sendable, CaseIterable {
        case ping, push, keycloak
    }

    let delivery: Delivery
    /// `client_notification_token`, or the bearer token of Keycloak's request.
    var token: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>
    /// `auth_req_id`.
    var requestID: String { sensitiveRequestID.reveal() }
    private let sensitiveRequestID: Sensitive<String>

    init(delivery: Delivery, token: String, requestID: String) {
        self.delivery = delivery
        sensitiveToken = Sensitive(token)
        sensitiveRequestID = Sensitive(requestID)
    }

    /// The text to seal.
    var json: [UInt8] {
        JSONWriter.write(
            .object([
                "delivery": .string(delivery.rawValue), "token": .string(token), "id": .string(requestID),
            ]))
    }

    init?(json octets: [UInt8]) {
        guard let members = try? JSONParser.parse(octets).asObject(), let name = try? members.string("delivery"),
            let delivery = Delivery(rawValue: name), let token = try? members.string("token"),
            let id = try? members.string("id")
        else { return nil }
        self.init(delivery: delivery, token: token, requestID: id)
    }
}
