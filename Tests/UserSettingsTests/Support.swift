import Foundation
import Shared

typealias TemporaryFolder = Shared.TemporaryFolder
