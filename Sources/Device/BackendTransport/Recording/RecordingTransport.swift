import Synchronization

/// Carries requests through another transport and writes each exchange into a folder: shapes, sizes, status codes and
/// times, and of the values only those that are known to be harmless.
///
/// Exchange 1 is `001-request.http` and `001-response.http`, or `001-failure.txt` where there is no response. A file that
/// cannot be written is left out: a record is never worth an operation.
package final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let folder: RecordingFolder
    private let marks = RecordingMarks()
    private let count = Mutex<Int>(0)

    /// Records what `transport` carries into the folder at `path`, which is made when it is missing.
    package init(_ transport: any HTTPTransport, intoFolderAt path: String) {
        self.transport = transport
        folder = RecordingFolder(path: path)
    }

    package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        folder.write(RecordedMessage(request, marks).octets, number: number, name: "request.http")
        let start = ContinuousClock.now
        do {
            let response = try await transport.response(to: request)
            let message = RecordedMessage(response, after: ContinuousClock.now - start, marks)
            folder.write(message.octets, number: number, name: "response.http")
            return response
        } catch {
            let elapsed = RecordedMessage.milliseconds(ContinuousClock.now - start)
            folder.write(Array("\(error) after \(elapsed) ms\n".utf8), number: number, name: "failure.txt")
            throw error
        }
    }
}
