import BackendAPI
import ServerCore
import TestSupport
import UAF

extension DispatchPayload {
    /// The form of a compact JWE; what it holds concerns the phone alone.
    static let jwe = "eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImtpZCI6ImsifQ..aXZpdg.c2VhbGVk.dGFn"

    /// A sealed parcel for a registration token, good for two minutes.
    static func sample(for token: String?, contentType: String = "application/jose") -> DispatchPayload {
        DispatchPayload(
            envelope: Envelope(
                content: jwe, contentType: contentType, version: "1",
                text: #"{"nma_data":"\#(jwe)","nma_data_content_type":"\#(contentType)","nma_data_version":"1"}"#),
            destination: token.flatMap(PushDestination.init),
            notification: Notification(title: "Confirm payment", body: nil), operation: .authentication,
            createdAt: ManualClock.start, expiresAt: ManualClock.start + .seconds(120))
    }
}
