import Octets
import QRCode

/// Link with the envelope of an order, for the phone: as a text to open, and as a picture to scan.
package struct LinkForPhone: Sendable {
    /// Longest link in octets; a QR code of version 40 holds 2,953.
    package static let byteLimit = 2_048

    /// The link; its holder may redeem the token.
    package var text: String { sensitiveText.reveal() }
    private let sensitiveText: Sensitive<String>
    /// QR code of the link as PNG, at most 16 KiB.
    package var picture: [UInt8] { sensitivePicture.reveal() }
    private let sensitivePicture: Sensitive<[UInt8]>

    /// Takes a link and its picture; nil for a link that is too long.
    package init?(text: String, picture: [UInt8]) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        sensitiveText = Sensitive(text)
        sensitivePicture = Sensitive(picture)
    }
}

extension LinkForPhone {
    /// The QR code as the path of a drawing (SVG 2, 9.3): a rectangle for each run of dark modules, a module being one unit;
    /// nil for a link that fits no code.
    package var drawing: (size: Int, path: String)? {
        guard let matrix = try? QRMatrix(encoding: text) else { return nil }
        var path = ""
        for row in 0..<matrix.size {
            var column = 0
            while column < matrix.size {
                let start = column
                while matrix.isDark(column: column, row: row) { column += 1 }
                if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
                column += 1
            }
        }
        return (matrix.size, path)
    }
}
