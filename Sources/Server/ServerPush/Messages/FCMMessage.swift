import BackendAPI
import Octets
import ServerCore
import StrictJSON

/// A message as the push service takes it (Firebase Cloud Messaging, HTTP v1).
struct FCMMessage: Sendable {
    let body: Sensitive<[UInt8]>

    /// Lays out a parcel for a registration token.
    ///
    /// The service keeps the message for a phone that is off no longer than the token in it is good. With
    /// `isDryRun` it judges the message and delivers nothing.
    init(_ parcel: DispatchPayload, registrationToken: String, isDryRun: Bool) {
        let lifetime = max(0, (parcel.expiresAt - parcel.createdAt).components.seconds)
        let message: JSONObject = [
            "token": .string(registrationToken),
            "notification": parcel.notification.flatMap(Self.notification),
            "data": .object([
                "nma_data": .string(parcel.envelope.content),
                "nma_data_content_type": .string(parcel.envelope.contentType),
                "nma_data_version": .string(parcel.envelope.version),
            ]),
            "android": .object(["priority": .string("high"), "ttl": .string("\(lifetime)s")]),
            "apns": Self.apns(expiration: max(0, parcel.expiresAt.seconds)),
        ]
        body = Sensitive(
            JSONWriter.write(
                .object(["message": .object(message), "validate_only": isDryRun ? .bool(true) : nil])))
    }

    /// Lays out a notification without a payload, which the service keeps for a day.
    init(_ notification: DispatchPayload.Notification, registrationToken: String, isDryRun: Bool) {
        let message: JSONObject = [
            "token": .string(registrationToken),
            "notification": Self.notification(notification),
            "android": .object(["priority": .string("normal"), "ttl": .string("86400s")]),
        ]
        body = Sensitive(
            JSONWriter.write(
                .object(["message": .object(message), "validate_only": isDryRun ? .bool(true) : nil])))
    }

    private static func notification(_ notification: DispatchPayload.Notification) -> JSONValue? {
        guard notification.title != nil || notification.body != nil else { return nil }
        return .object([
            "title": notification.title.map(JSONValue.string), "body": notification.body.map(JSONValue.string),
        ])
    }

    /// Part for Apple's service; its headers are texts.
    private static func apns(expiration: Int64) -> JSONValue {
        .object([
            "headers": .object([
                "apns-priority": .string("10"), "apns-expiration": .string(String(expiration)),
            ]),
            "payload": .object([
                "aps": .object(["mutable-content": .integer(1), "sound": .string("default")])
            ]),
        ])
    }
}
