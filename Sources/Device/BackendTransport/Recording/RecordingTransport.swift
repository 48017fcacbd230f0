import Synchronization

/// Carries requests through another transport and writes each exchange into a folder, without its secrets.
///
/// Exchange 1 is `001-request.http` and `001-response.http`, or `001-failure.txt` where there is no response. A file that
/// cannot be written is left out: a record is never worth an operation.
package final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let folder: RecordingFolder
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
        folder.write(RecordedMessage(request).octets, number: number, name: "request.http")
        do {
            let response = try await transport.response(to: request)
            folder.write(RecordedMessage(response).octets, number: number, name: "response.http")
            return response
        } catch {
            folder.write(Array("\(error)\n".utf8), number: number, name: "failure.txt")
            throw error
        }
    }
}
