import Foundation
import Octets
import QRCode

/// QR code for the operator: drawn on a terminal, or written as a picture.
package struct ShownCode: Sendable {
    /// Escape sequence for black on white whatever the terminal's colours are, because some readers do not decode
    /// inverted codes.
    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    package var text: String { sensitiveText.reveal() }
    private let sensitiveText: Sensitive<String>

    package init(text: String) {
        sensitiveText = Sensitive(text)
    }

    /// The code as text; instructions instead when the terminal has too few columns.
    package var drawing: TerminalText {
        guard let matrix = try? QRMatrix(encoding: text) else { return "(too long for a QR code)" }
        let columns = matrix.size + 2 * QRMatrix.quietZone
        guard isatty(STDOUT_FILENO) == 1 else { return TerminalText(asItIs: matrix.text()) }
        if let width = Self.terminalWidth, width < columns {
            return "(the QR code needs \(columns) columns, this terminal has \(width); --out FILE.png writes a picture)"
        }
        let lines = matrix.text(on: .light).split(separator: "\n")
        return TerminalText(asItIs: lines.map { Self.blackOnWhite + $0 + Self.plain + "\n" }.joined())
    }

    /// Writes the code as a picture (PNG), readable by its owner only.
    package func write(to file: String) throws {
        try PosixFiles().write(QRMatrix(encoding: text).png(), to: file, mode: 0o600)
    }

    private static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
