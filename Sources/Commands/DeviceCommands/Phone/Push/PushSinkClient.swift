import BackendTransport
import BackendTransportLinux
package import CommandSupport
import Foundation
import Octets
import StrictJSON

/// HTTP client of a push sink, in the role of the operating system's client of its push service.
package struct PushSinkClient {
    /// Maximum duration of a long poll at the sink, in seconds.
    private static let longestWait = 60
    private static let answerLimits = JSONLimits(byteCount: 1 << 20, depth: 12)

    private let sink: String
    private let transport: any HTTPTransport

    /// Client of the sink at a base URL; `authorities` are certificates in PEM form that are trusted for it.
    package init(sink: String, authorities: String?) throws {
        self.sink = try Phone.address(sink).absoluteString.trimmingSlash
        let certificates = try authorities.map { try TransportTrust.certificates(inPEM: Array($0.utf8)) } ?? []
        transport = AsyncHTTPClientTransport(trust: TransportTrust(additionalCertificates: certificates)) {
            Int64(Date().timeIntervalSince1970)
        }
    }

    package func subscribe(authorities: String? = nil) async throws(CommandFailure) -> PushSubscription {
        let answer = try await answer(to: BackendRequest(.post, sink + "/sink/devices"))
        do throws(JSONTypeError) {
            return PushSubscription(
                sink: sink, authorities: authorities, token: try answer.asObject().string("registrationToken"))
        } catch {
            throw Self.unreadable
        }
    }

    /// Messages with a higher number than the last one that the phone took; waits for them, and returns an empty list
    /// when the time is over.
    package func messages(
        for subscription: PushSubscription, within patience: Duration
    ) async throws(CommandFailure) -> [PushMessage] {
        let seconds = min(Self.longestWait, max(0, Int(patience.components.seconds)))
        let path = "/sink/devices/\(subscription.token.percentEncoded)/messages"
        let answer = try await answer(
            to: BackendRequest(
                .get, sink + path + "?after=\(subscription.lastNumber)&wait=\(seconds)",
                responseByteLimit: Self.answerLimits.byteCount, timeout: .seconds(seconds + 30)))
        do throws(JSONTypeError) {
            return try answer.asObject().required("messages") { value throws(JSONTypeError) in
                var messages: [PushMessage] = []
                for message in try value.asArray() { messages.append(try PushMessage(json: message)) }
                return messages
            }
        } catch {
            throw Self.unreadable
        }
    }

    private func answer(to request: BackendRequest) async throws(CommandFailure) -> JSONValue {
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(to: request)
        } catch {
            throw .local(
                "PushSinkUnreachable", "no answer from the push sink at \(sink): \(error.description)",
                isRetryable: true)
        }
        switch response.status {
        case 200...299: break
        case 404:
            throw .refused(
                "NotSubscribed", "the push sink does not know this phone: signet device info change --push-sink URL")
        default: throw .refused("PushSinkRefused", "the push sink answered with HTTP \(response.status)")
        }
        guard let answer = try? JSONParser.parse(response.body, limits: Self.answerLimits) else {
            throw Self.unreadable
        }
        return answer
    }

    private static let unreadable = CommandFailure.local(
        "PushSinkUnreadable", "the push sink's answer has another form")
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }

    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~:"))) ?? self
    }
}
