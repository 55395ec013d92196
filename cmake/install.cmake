# SPDX-License-Identifier: Apache-2.0
# What `cmake --install build/release` puts where. The command looks for its data below the prefix that was configured, so
# another prefix is chosen at configure time: cmake --preset release -DCMAKE_INSTALL_PREFIX=…
# The command itself is installed by cli/CMakeLists.txt.
include(GNUInstallDirs)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/convoy
	FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/reports DESTINATION ${CMAKE_INSTALL_DATADIR}/convoy
	FILES_MATCHING PATTERN "*.py" PATTERN "page.*" PATTERN "__pycache__" EXCLUDE)
# Beside README.md, so that its links hold.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
	FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
	DESTINATION ${CMAKE_INSTALL_DOCDIR})
