import Foundation
import MobileAuthenticationTestKit
import Synchronization

/// The network of a phone whose exchanges are kept whole, secrets included, for a program that verifies them.
///
/// Each body stands in a file `001-request.http` or `001-response.http`, behind a first line and an empty one.
final class ResponseRecorder: TestTransport {
    private let network: NetworkTransport
    private let folder: URL
    private let count = Mutex(0)

    /// Keeps what goes over `network` in `folder`, which is made.
    init(_ network: NetworkTransport, in folder: URL) throws {
        self.network = network
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func answer(to request: TestRequest) async throws -> TestResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try keep("\(request.method) \(request.url)", request.body, as: "request", number)
        let response = try await network.answer(to: request)
        try keep("\(response.status)", response.body, as: "response", number)
        return response
    }

    private func keep(_ line: String, _ body: [UInt8], as kind: String, _ number: Int) throws {
        let name = String(format: "%03d-%@.http", number, kind)
        try (Data("\(line)\n\n".utf8) + Data(body)).write(to: folder.appending(path: name))
    }
}
