import Foundation
package import UAF

/// Looks of a name: people take names with one skeleton for each other.
///
/// A part of Unicode Technical Standard 39, 4: case, marks and forms of compatibility are left out, and Cyrillic and Greek
/// letters become the Latin ones that they look like, in small letters or in capitals. Digits stay digits.
package struct NameSkeleton: Sendable, Hashable {
    package let text: String

    package init(of name: UserName) {
        var skeleton = String.UnicodeScalarView()
        for scalar in name.text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
        where !Self.marks.contains(scalar.value) && !scalar.properties.isDefaultIgnorableCodePoint {
            skeleton.append(Self.likes[scalar] ?? scalar)
        }
        text = String(skeleton)
    }

    /// Combining diacritical marks.
    private static let marks = UInt32(0x300)...0x36F

    private static let likes = Dictionary(
        zip(
            "авекмнорстухѕіјһԁԛԝӏαβεζηικμνορτυχıɑɡ".unicodeScalars,
            "abekmhopctyxsijhdqwlabezhikmvoptuxiag".unicodeScalars)
    ) { first, _ in first }
}
