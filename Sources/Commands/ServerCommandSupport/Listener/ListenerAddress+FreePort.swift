package import CommandSupport
import Foundation
package import ServerCore

// A listener could take port 0 itself, but settings, files and other listeners name its URL before it opens: the public address,
// the file that says where the server is, the account of the push sink.
extension ListenerAddress {
    /// Takes the free port that stands for port 0; nil when the address has a port.
    ///
    /// The port is free on 127.0.0.1, and held there for as long as the value lives (``FreePorts``); on another address
    /// another process may take the same number. Throws `listenerUnusable`, with what the system says, for example that
    /// the process may open no more files.
    package mutating func takeFreePort() throws(CommandFailure) -> FreePorts? {
        guard port == 0 else { return nil }
        do throws(FreePorts.Exhausted) {
            let ports = try FreePorts(1)
            port = ports.numbers[0]
            return ports
        } catch {
            throw .local(
                "listenerUnusable",
                "the system has no free port for \(authority): \(String(cString: strerror(error.number)))")
        }
    }
}
