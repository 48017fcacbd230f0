import HardwareKeys
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

/// The folder that recorded exchanges go to; its files are for their owner only, from the first byte on.
private struct RecordingFolder: Sendable {
    private let path: String
    private let fileSystem = PosixFileSystem(allowsNetwork: true)

    init(path: String) {
        self.path = path
    }

    func write(_ octets: [UInt8], number: Int, name: String) {
        // A folder that is there already may be open to others; the files in it are not.
        try? fileSystem.makeDirectory(path)
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        try? AtomicFile(named: padded + "-" + name, in: path, of: fileSystem).replace(with: octets)
    }
}
