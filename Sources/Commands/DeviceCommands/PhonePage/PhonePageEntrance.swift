import CommandSupport
import Foundation
import PhonePage
import StrictJSON

/// Announcement of a phone page to the person who started it: terminal, private file, browser.
struct PhonePageEntrance {
    private static let openers = ["/usr/bin/xdg-open", "/usr/bin/open"]

    let address: PhonePageAddress
    /// File for another process of the person; nil for none.
    let readyFile: String?
    let opens: Bool

    /// Prints the address, which is in no log and in no argument of a process.
    func announce() throws {
        let entry = address.revealEntry()
        if let readyFile {
            let members = JSONObject([
                "port": .integer(address.port), "origin": .string(address.origin), "address": .string(entry),
            ])
            try PrivateFolder(path: PrivateFile(path: readyFile).folder).requireUndisturbed()
            try PrivateFile(path: readyFile).write(JSONWriter.text(.object(members)))
        } else {
            CommandReport(program: .phone, format: .text).announce(
                CommandReport.Outcome(
                    text: "The phone is at \(entry)\nThe address works once. Ctrl-C ends the page.", result: [:]))
        }
        if opens { try openBrowser(at: entry) }
    }

    /// Opens the browser on a private file that leads to the address: others may read the arguments of processes.
    private func openBrowser(at entry: String) throws {
        guard let opener = Self.openers.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw CommandFailure.local("NoBrowser", "there is no xdg-open here: open the printed address yourself")
        }
        let scratch = try TemporaryFolder(named: "signet-phone")
        let file = scratch.url.appending(path: "open.html")
        try PrivateFile(path: file.path()).write("<meta http-equiv=\"refresh\" content=\"0; url=\(entry)\">")
        _ = try ChildProcess(URL(filePath: opener), [file.path()], folder: scratch.url, name: "browser")
        // The browser reads the file soon; the address is spent by then, and the folder goes.
        Task {
            try? await Task.sleep(for: .seconds(30))
            withExtendedLifetime(scratch) {}
        }
    }
}
