import Foundation
import MobileAuthenticationTestKit

/// The way to a server that does not know the extension of the registration service: the device that comes with a
/// registration never reaches it.
struct RegistrationOnlyTransport: TestTransport {
    let network: NetworkTransport

    func answer(to request: TestRequest) async throws -> TestResponse {
        var request = request
        if request.method == "POST", let body = Self.withoutDevice(request.body) { request.body = body }
        return try await network.answer(to: request)
    }

    /// The body without the device; nil for a body that brings none.
    private static func withoutDevice(_ body: [UInt8]) -> [UInt8]? {
        guard var message = object(Data(body)), let text = message["context"] as? String,
            var context = object(Data(text.utf8)), context.removeValue(forKey: "dispatchTarget") != nil,
            let written = try? JSONSerialization.data(withJSONObject: context)
        else { return nil }
        message["context"] = String(decoding: written, as: UTF8.self)
        return (try? JSONSerialization.data(withJSONObject: message)).map { Array($0) }
    }

    private static func object(_ data: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    }
}
